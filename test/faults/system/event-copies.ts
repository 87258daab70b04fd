import { setTimeout as wait } from 'node:timers/promises';
import { topology } from '@storefront/contracts';
import { connect } from 'amqplib';
import type { ConsumeMessage } from 'amqplib';
import type { Random } from '../random.ts';

/** Copies of the events that the system has published. */
export interface EventCopies {
  /** Publishes a sample of them again, in any order, to all their queues. Resolves to their number; throws without a broker. */
  sendAgain(count: number, random: Random): Promise<number>;
  stop(): Promise<void>;
}

const exchange = 'storefront.events';
const queue = 'faults.copies';
const mostKept = 20_000;
const retryMs = 500;

/** Copies all events that a service handles, into a queue of the rig. The queue keeps them while the broker is away. */
export function copyEvents(amqpUrl: string): EventCopies {
  const copies: ConsumeMessage[] = [];
  const stopping = new AbortController();
  const types = new Set(topology.flatMap((each) => each.types));

  async function consumeUntilClosed(): Promise<void> {
    const broker = await connect(amqpUrl);
    const closed = new Promise<void>((resolve) => {
      broker.on('close', resolve);
    });
    broker.on('error', () => undefined);
    const end = () => void broker.close().catch(() => undefined);
    stopping.signal.addEventListener('abort', end);
    try {
      const channel = await broker.createChannel();
      channel.on('error', end);
      await channel.assertExchange(exchange, 'topic', { durable: true });
      await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
      for (const type of types) await channel.bindQueue(queue, exchange, type);
      await channel.consume(queue, (message) => {
        if (!message) return end();
        if (copies.length < mostKept) copies.push(message);
        channel.ack(message);
      });
      await closed;
    } finally {
      stopping.signal.removeEventListener('abort', end);
      end();
    }
  }

  const consuming = (async () => {
    while (!stopping.signal.aborted) {
      await consumeUntilClosed().catch(() => undefined);
      await wait(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

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
    async stop() {
      stopping.abort();
      await consuming;
    },
  };
}
