import { setTimeout as wait } from 'node:timers/promises';
import { connect, type ConsumeMessage } from 'amqplib';

/**
 * A quorum queue is on all nodes of a cluster. On a single node a classic one is as durable, and has a leader after
 * each kill: RabbitMQ 3.10 has left a quorum queue that was made last without one, for good.
 */
export type QueueType = 'classic' | 'quorum';

/** A queue of the rig with copies of events. It keeps them while the broker is away. */
export interface EventQueue {
  /** Resolves when the queue exists and events come from it. */
  readonly opened: Promise<void>;
  stop(): Promise<void>;
}

const exchange = 'storefront.events';
const retryMs = 500;

/** Calls `receive` with each event of these types, until `stop`. The same event may come more often than once. */
export function consumeEvents(
  { amqp, queueType }: { readonly amqp: string; readonly queueType: QueueType },
  queue: string,
  types: Iterable<string>,
  receive: (message: ConsumeMessage) => void,
): EventQueue {
  const stopping = new AbortController();
  const opened = Promise.withResolvers<void>();

  async function consumeUntilClosed(): Promise<void> {
    const broker = await connect(amqp);
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
      await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': queueType } });
      for (const type of types) await channel.bindQueue(queue, exchange, type);
      await channel.consume(queue, (message) => {
        if (!message) return end();
        receive(message);
        channel.ack(message);
      });
      opened.resolve();
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
    opened: opened.promise,
    async stop() {
      stopping.abort();
      await consuming;
    },
  };
}
