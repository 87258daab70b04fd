import { engagementEvents, identityEvents, queues, topology, type Event } from '@storefront/contracts';
import { connect, type ConsumeMessage } from 'amqplib';
import type { Random } from '../random.ts';
import type { RigBacking } from './backing.ts';
import { consumeEvents } from './event-queue.ts';

/** Copies of the events that the system has published. */
export interface EventCopies {
  /** Resolves when the queue exists: a broker that is killed while it makes one may leave it without a leader for good. */
  readonly opened: Promise<void>;
  /** Publishes a sample of them again, in any order, to all their queues. Resolves to their number; throws without a broker. */
  sendAgain(count: number, random: Random): Promise<number>;
  /** Those that reports count, and those that request an erasure: each once, all that have arrived so far. */
  counted(): readonly Event[];
  stop(): Promise<void>;
}

const exchange = 'storefront.events';
const mostKept = 20_000;
const countedTypes: ReadonlySet<string> = new Set(
  [...queues.engagement.onFactPublished.contracts, identityEvents.userErasureRequested]
    .map(({ type }) => type)
    .filter((type) => type !== engagementEvents.factsHeartbeat.type),
);

/** Copies all events that a service handles, into a queue of the rig. The queue keeps them while the broker is away. */
export function copyEvents(broker: Pick<RigBacking['direct'], 'amqp' | 'queueType'>): EventCopies {
  const copies: ConsumeMessage[] = [];
  const types = new Set(topology.flatMap((each) => each.types));
  const counted = new Map<string, Event>();
  const queue = consumeEvents(broker, 'faults.copies', types, (message) => {
    if (copies.length < mostKept) copies.push(message);
    if (!countedTypes.has(message.fields.routingKey)) return;
    const event = JSON.parse(message.content.toString()) as Event;
    counted.set(event.id, event);
  });

  return {
    async sendAgain(count, random) {
      const sample = random.shuffle(copies).slice(0, count);
      const connection = await connect(broker.amqp);
      connection.on('error', () => undefined);
      try {
        const channel = await connection.createConfirmChannel();
        channel.on('error', () => undefined);
        for (const { content, fields, properties } of sample)
          channel.publish(exchange, fields.routingKey, content, { ...properties, persistent: true });
        await channel.waitForConfirms();
      } finally {
        await connection.close().catch(() => undefined);
      }
      return sample.length;
    },
    counted: () => [...counted.values()],
    opened: queue.opened,
    stop: () => queue.stop(),
  };
}
