import type { Channel } from 'amqplib';
import { eventsExchange } from '../topology.ts';
import type { Topology } from '../topology.ts';

export const deadLetterQueue = 'storefront.dead';

// Do not change names and arguments: a broker refuses to declare an existing queue with other arguments.

// After so many deliveries without an acknowledgement, as when its consumer crashes, the broker itself makes a dead
// letter of a message.
const deliveryLimit = 20;
// Each reading of the dead letters counts as a delivery of all of them: the limit is one that is never reached. Without
// any, newer brokers set a low limit.
const deadLetterDeliveryLimit = 1_000_000;

/** The delay queue of `queue` for one delay. Each delay has its own, so that no message waits behind a longer one. */
export function delayQueue(queue: string, delayMs: number): string {
  return `${queue}.wait-${delayMs % 1_000 === 0 ? `${delayMs / 1_000}s` : `${delayMs}ms`}`;
}

/** Declares the exchange, the dead-letter queue, and every subscription's queue with its bindings. */
export async function declareTopology(channel: Channel, topology: Topology): Promise<void> {
  await channel.assertExchange(eventsExchange, 'topic', { durable: true });
  await channel.assertQueue(deadLetterQueue, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deadLetterDeliveryLimit },
  });
  for (const { queue, types } of topology) {
    await channel.assertQueue(queue, {
      durable: true,
      arguments: { ...movesTo(deadLetterQueue), 'x-delivery-limit': deliveryLimit },
    });
    for (const type of types) await channel.bindQueue(queue, eventsExchange, type);
  }
}

/** The delay queues of `queue`. When the time of a message is up, the broker moves it back to `queue`. */
export async function declareDelayQueues(channel: Channel, queue: string, delaysMs: readonly number[]): Promise<void> {
  for (const delayMs of delaysMs) {
    await channel.assertQueue(delayQueue(queue, delayMs), {
      durable: true,
      arguments: { ...movesTo(queue), 'x-message-ttl': delayMs },
    });
  }
}

/** A quorum queue that removes a message it moves only once the target queue has confirmed it. */
function movesTo(queue: string) {
  return {
    'x-queue-type': 'quorum',
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}
