import type { Channel } from 'amqplib';
import { eventsExchange } from '../topology.ts';
import type { Topology } from '../topology.ts';

export const deadQueue = 'storefront.dead';

// The names and arguments here are a contract with every broker in use: it refuses a queue declared otherwise than before.

// Redeliveries without an answer, as after a crash, before the broker itself makes a message a dead letter.
const deliveryLimit = 20;
// Reading the dead letters counts as a delivery of each: no limit that anybody reaches. Some limit must be given, since
// newer brokers otherwise set a low one.
const deadDeliveryLimit = 1_000_000;

/** The queue where messages for `queue` sit out one wait; a queue for each length, so that none waits behind a longer one. */
export function waitQueue(queue: string, waitMs: number): string {
  return `${queue}.wait-${waitMs % 1_000 === 0 ? `${waitMs / 1_000}s` : `${waitMs}ms`}`;
}

/** The exchange, the queue of dead letters, and every subscription's queue with its bindings. */
export async function declareTopology(channel: Channel, topology: Topology): Promise<void> {
  await channel.assertExchange(eventsExchange, 'topic', { durable: true });
  await channel.assertQueue(deadQueue, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deadDeliveryLimit },
  });
  for (const { queue, types } of topology) {
    await channel.assertQueue(queue, {
      durable: true,
      arguments: { ...movesTo(deadQueue), 'x-delivery-limit': deliveryLimit },
    });
    for (const type of types) await channel.bindQueue(queue, eventsExchange, type);
  }
}

/** The queues in which messages for `queue` wait; when the time is up the broker puts them back. */
export async function declareWaits(channel: Channel, queue: string, waitsMs: readonly number[]): Promise<void> {
  for (const waitMs of waitsMs) {
    await channel.assertQueue(waitQueue(queue, waitMs), {
      durable: true,
      arguments: { ...movesTo(queue), 'x-message-ttl': waitMs },
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
