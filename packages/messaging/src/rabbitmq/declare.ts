import { messageOf } from '../errors.ts';
import { eventsExchange, type QueueBinding } from '../topology.ts';
import { notFound, replyCodeOf, type Attempts } from './with-channel.ts';

export const deadLetterQueue = 'storefront.dead';

/** Events that are given up go here, with the name of their queue as the routing key. */
export const deadLetterExchange = 'storefront.dead-letters';

/**
 * Returns the name of the delay queue for one delay. All services share it. Each delay has its own queue, so that no
 * message waits behind one with a longer delay.
 */
export function delayQueue(delayMs: number): string {
  return `storefront.wait-${durationOf(delayMs)}`;
}

/**
 * Returns the name of the exchange in front of a delay queue. The routing key of a message is the queue to which the
 * broker returns it after the delay.
 */
export function delayExchange(delayMs: number): string {
  return `storefront.delay-${durationOf(delayMs)}`;
}

function durationOf(delayMs: number): string {
  return delayMs % 1_000 === 0 ? `${delayMs / 1_000}s` : `${delayMs}ms`;
}

/** A queue that exists with other arguments than declared. It is used unchanged. */
export interface Differing {
  readonly queue: string;
  readonly difference: string;
}

/** Declares the events exchange. Routing keys are event types. */
export async function declareEventsExchange(attempts: Attempts): Promise<void> {
  await declareTopic(attempts, eventsExchange);
}

/** Declares the events exchange only if it does not exist, for clients that may have no right to declare it. */
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

/**
 * The delivery limit of this queue is so high that it is never reached, because reading dead letters counts as
 * delivering them.
 */
export async function declareDeadLetterQueue(attempts: Attempts): Promise<Differing | undefined> {
  const args = { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 };
  return declareBehind(attempts, deadLetterExchange, deadLetterQueue, args);
}

/**
 * Declares the dead-letter queue only if it does not exist, for clients that may have no right to declare it. An
 * existing queue is used unchanged.
 */
export async function ensureDeadLetterQueue(attempts: Attempts): Promise<Differing | undefined> {
  return (await bothExist(attempts, deadLetterExchange, deadLetterQueue))
    ? undefined
    : declareDeadLetterQueue(attempts);
}

export async function declareDelay(attempts: Attempts, delayMs: number): Promise<Differing | undefined> {
  // Without `x-dead-letter-routing-key` a message keeps its own routing key, the name of its queue.
  const args = { ...movesWhatDies, 'x-message-ttl': delayMs };
  return declareBehind(attempts, delayExchange(delayMs), delayQueue(delayMs), args);
}

/**
 * Declares the delay queue only if it does not exist, for clients that may have no right to declare it. An existing
 * queue is used unchanged.
 */
export async function ensureDelay(attempts: Attempts, delayMs: number): Promise<Differing | undefined> {
  return (await bothExist(attempts, delayExchange(delayMs), delayQueue(delayMs)))
    ? undefined
    : declareDelay(attempts, delayMs);
}

/** Declares a queue and its own exchange. The queue gets every message of this exchange. */
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

// Topic exchanges are used everywhere: only for this type can RabbitMQ restrict by routing key who may publish what.
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

// Only settings that never change. Settings that an operator may want to change are policies, because a broker refuses
// to declare an existing queue with other arguments. A quorum queue removes a message that it moves only once the
// target queue has confirmed it.
const movesWhatDies = {
  'x-queue-type': 'quorum',
  'x-dead-letter-exchange': '',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
};

/**
 * Declares the queue. Returns how it differs where it exists with other arguments. Throws where it can't be declared
 * and does not exist.
 */
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
