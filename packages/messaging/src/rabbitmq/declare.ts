import { messageOf } from '../errors.ts';
import { eventsExchange, type QueueBinding } from '../topology.ts';
import { notFound, replyCodeOf, type Attempts } from './with-channel.ts';

export const deadLetterQueue = 'storefront.dead';

/** What a handler gave up goes here, with the name of its queue as the routing key. */
export const deadLetterExchange = 'storefront.dead-letters';

/**
 * The delay queue for one delay, which all services share. Each delay has its own, so that no message waits behind a
 * longer one.
 */
export function delayQueue(delayMs: number): string {
  return `storefront.wait-${durationOf(delayMs)}`;
}

/**
 * The exchange in front of a delay queue. A message is published to it with the name of the queue to return to as its
 * routing key; the broker moves it there when its time is up.
 */
export function delayExchange(delayMs: number): string {
  return `storefront.delay-${durationOf(delayMs)}`;
}

function durationOf(delayMs: number): string {
  return delayMs % 1_000 === 0 ? `${delayMs / 1_000}s` : `${delayMs}ms`;
}

/** A queue that exists with other arguments than it is declared with. It is used as it is. */
export interface Differing {
  readonly queue: string;
  readonly difference: string;
}

/** Routing keys are the types of events. */
export async function declareEventsExchange(attempts: Attempts): Promise<void> {
  await declareTopic(attempts, eventsExchange);
}

/** As `declareEventsExchange`, for a client that may use the exchange, and may have no right to declare it. */
export async function ensureEventsExchange(attempts: Attempts): Promise<void> {
  if (!(await exchangeExists(attempts, eventsExchange))) await declareEventsExchange(attempts);
}

/** Declares a subscription's queue and binds its types. */
export async function declareSubscription(
  attempts: Attempts,
  { queue, types }: QueueBinding,
): Promise<Differing | undefined> {
  const differing = await declareQueue(attempts, queue, {
    ...movesWhatDies,
    'x-dead-letter-routing-key': deadLetterQueue,
  });
  for (const type of types) await attempts.run((channel) => channel.bindQueue(queue, eventsExchange, type));
  return differing;
}

/** Reading dead letters counts as delivering them: the limit of their queue is one that is never reached. */
export async function declareDeadLetterQueue(attempts: Attempts): Promise<Differing | undefined> {
  const args = { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 };
  return declareBehind(attempts, deadLetterExchange, deadLetterQueue, args);
}

/** As `declareDeadLetterQueue`, for a client that may have no right to declare it: where it is there it is used as it is. */
export async function ensureDeadLetterQueue(attempts: Attempts): Promise<Differing | undefined> {
  return (await bothExist(attempts, deadLetterExchange, deadLetterQueue))
    ? undefined
    : declareDeadLetterQueue(attempts);
}

export async function declareDelay(attempts: Attempts, delayMs: number): Promise<Differing | undefined> {
  // There is no routing key for dead letters: a message keeps its own.
  const args = { ...movesWhatDies, 'x-message-ttl': delayMs };
  return declareBehind(attempts, delayExchange(delayMs), delayQueue(delayMs), args);
}

/** As `declareDelay`, for a client that may have no right to declare it: where it is there it is used as it is. */
export async function ensureDelay(attempts: Attempts, delayMs: number): Promise<Differing | undefined> {
  return (await bothExist(attempts, delayExchange(delayMs), delayQueue(delayMs)))
    ? undefined
    : declareDelay(attempts, delayMs);
}

/** Declares a queue that takes everything from an exchange of its own. */
async function declareBehind(
  attempts: Attempts,
  exchange: string,
  queue: string,
  args: Record<string, unknown>,
): Promise<Differing | undefined> {
  const differing = await declareQueue(attempts, queue, args);
  await declareTopic(attempts, exchange);
  await attempts.run((channel) => channel.bindQueue(queue, exchange, '#'));
  return differing;
}

// Of this type alone a broker can restrict by routing key who may publish what.
async function declareTopic(attempts: Attempts, exchange: string): Promise<void> {
  await attempts.run((channel) => channel.assertExchange(exchange, 'topic', { durable: true }));
}

async function bothExist(attempts: Attempts, exchange: string, queue: string): Promise<boolean> {
  return (await exchangeExists(attempts, exchange)) && (await queueExists(attempts, queue));
}

export async function exchangeExists(attempts: Attempts, exchange: string): Promise<boolean> {
  return isFound(attempts.run((channel) => channel.checkExchange(exchange)));
}

export async function queueExists(attempts: Attempts, queue: string): Promise<boolean> {
  return isFound(attempts.run((channel) => channel.checkQueue(queue)));
}

async function isFound(looking: Promise<unknown>): Promise<boolean> {
  try {
    await looking;
    return true;
  } catch (error) {
    if (replyCodeOf(error) === notFound) return false;
    throw error;
  }
}

// The structure alone: what an operator may want to change is a policy, since a broker refuses to declare an existing
// queue with other arguments. A quorum queue removes a message that it moves only once the target queue has confirmed it.
const movesWhatDies = {
  'x-queue-type': 'quorum',
  'x-dead-letter-exchange': '',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
};

/** Returns how the queue differs, where one exists and the broker refuses the declaration. Throws where none exists. */
async function declareQueue(
  attempts: Attempts,
  queue: string,
  args: Record<string, unknown>,
): Promise<Differing | undefined> {
  try {
    await attempts.run((channel) => channel.assertQueue(queue, { durable: true, arguments: args }));
    return undefined;
  } catch (error) {
    if (replyCodeOf(error) === undefined || !(await queueExists(attempts, queue))) throw error;
    return { queue, difference: messageOf(error) };
  }
}
