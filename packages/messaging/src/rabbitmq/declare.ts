import { messageOf } from '../errors.ts';
import { eventsExchange } from '../topology.ts';
import type { QueueBinding } from '../topology.ts';
import { notFound, replyCodeOf } from './with-channel.ts';
import type { Attempts } from './with-channel.ts';

export const deadLetterQueue = 'storefront.dead';

/**
 * The name of the delay queue for one delay, which all services share, and of the exchange in front of it. A message is
 * published to the exchange with the name of the queue to return to as its routing key; the broker moves it there when
 * its time is up. Each delay has its own, so that no message waits behind a longer one.
 */
export function delayName(delayMs: number): string {
  return `storefront.wait-${delayMs % 1_000 === 0 ? `${delayMs / 1_000}s` : `${delayMs}ms`}`;
}

/** A queue that exists with other arguments than it is declared with. It is used as it is. */
export interface Differing {
  readonly queue: string;
  readonly difference: string;
}

export async function declareEventsExchange(attempts: Attempts): Promise<void> {
  await attempts.run((channel) => channel.assertExchange(eventsExchange, 'topic', { durable: true }));
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
  return declareQueue(attempts, deadLetterQueue, { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 });
}

export async function declareDelay(attempts: Attempts, delayMs: number): Promise<Differing | undefined> {
  const name = delayName(delayMs);
  // There is no routing key for dead letters: a message keeps its own.
  const differing = await declareQueue(attempts, name, { ...movesWhatDies, 'x-message-ttl': delayMs });
  await attempts.run(async (channel) => {
    await channel.assertExchange(name, 'fanout', { durable: true });
    await channel.bindQueue(name, name, '');
  });
  return differing;
}

export async function queueExists(attempts: Attempts, queue: string): Promise<boolean> {
  try {
    await attempts.run((channel) => channel.checkQueue(queue));
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
