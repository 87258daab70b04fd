import { topology } from '@storefront/contracts';
import { connect } from 'amqplib';
import type { ConsumeMessage } from 'amqplib';
import type { Random } from '../random.ts';
import { consumeEvents } from './event-queue.ts';

/** Copies of the events that the system has published. */
export interface EventCopies {
  /** Resolves when the queue exists: a broker that is killed while it makes one may leave it without a leader for good. */
  readonly opened: Promise<void>;
  /** Publishes a sample of them again, in any order, to all their queues. Resolves to their number; throws without a broker. */
  sendAgain(count: number, random: Random): Promise<number>;
  stop(): Promise<void>;
}

const exchange = 'storefront.events';
const mostKept = 20_000;

/** Copies all events that a service handles, into a queue of the rig. The queue keeps them while the broker is away. */
export function copyEvents(amqpUrl: string): EventCopies {
  const copies: ConsumeMessage[] = [];
  const types = new Set(topology.flatMap((each) => each.types));
  const queue = consumeEvents(amqpUrl, 'faults.copies', types, (message) => {
    if (copies.length < mostKept) copies.push(message);
  });

  return {
    async sendAgain(count, random) {
      const sample = random.shuffle(copies).slice(0, count);
      const broker = await connect(amqpUrl);
      broker.on('error', () => undefined);
      try {
        const channel = await broker.createConfirmChannel();
        channel.on('error', () => undefined);
        for (const { content, fields, properties } of sample)
          channel.publish(exchange, fields.routingKey, content, { ...properties, persistent: true });
        await channel.waitForConfirms();
      } finally {
        await broker.close().catch(() => undefined);
      }
      return sample.length;
    },
    opened: queue.opened,
    stop: () => queue.stop(),
  };
}
