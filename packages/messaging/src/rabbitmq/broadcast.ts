import type { ConsumeMessage } from 'amqplib';
import type { Logger } from 'pino';
import type { Broadcast } from '../bus.ts';
import { parseEvent } from '../middleware/parse.ts';
import { eventsExchange } from '../topology.ts';
import { ensureEventsExchange } from './declare.ts';
import type { RecoveringConnection } from './recovering-connection.ts';
import { openRecoveringChannel } from './recovering-channel.ts';
import { withAttempts } from './with-channel.ts';

export interface BroadcastConsumer {
  isBound(): boolean;
  /** Why the queue is not bound; undefined while it is bound. */
  failure(): string | undefined;
  readonly firstAttempt: Promise<void>;
  close(): Promise<void>;
}

/** Consumes a queue that only this connection has. The broker deletes the queue when the connection ends. */
export function createBroadcast(
  connection: RecoveringConnection,
  broadcast: Broadcast,
  logger: Logger,
): BroadcastConsumer {
  const channel = openRecoveringChannel(
    () => connection.channel(),
    async (opened) => {
      await withAttempts(connection, ensureEventsExchange);
      const { queue } = await opened.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
      for (const type of broadcast.types) await opened.bindQueue(queue, eventsExchange, type);
      await opened.consume(
        queue,
        (message) => {
          if (message) handle(message);
          else void opened.close().catch(() => {});
        },
        { noAck: true },
      );
      call(broadcast.onBound);
    },
    () => call(broadcast.onLost),
  );

  function handle(message: ConsumeMessage): void {
    const parsed = parseEvent(message.content, message.fields.routingKey);
    if ('unreadable' in parsed) logger.error({ broadcast: broadcast.name, reason: parsed.unreadable }, 'unreadable');
    else call(() => broadcast.handle(parsed.event));
  }

  function call(listener: (() => void) | undefined): void {
    try {
      listener?.();
    } catch (error) {
      logger.error({ err: error, broadcast: broadcast.name }, 'a listener failed');
    }
  }

  return {
    isBound: () => channel.current() !== undefined,
    failure: () => channel.failure(),
    firstAttempt: channel.firstAttempt,
    close: () => channel.close(),
  };
}
