import type { ConsumeMessage } from 'amqplib';
import type { Logger } from 'pino';
import type { Broadcast } from '../bus.ts';
import { parseEvent } from '../middleware/parse.ts';
import { eventsExchange } from '../topology.ts';
import { keepChannel } from './kept-channel.ts';
import type { Link } from './link.ts';

export interface BroadcastConsumer {
  isBound(): boolean;
  trouble(): string | undefined;
  readonly firstAttempt: Promise<void>;
  close(): Promise<void>;
}

/** Listens on a queue of this connection alone, which the broker drops with it. */
export function createBroadcast(link: Link, broadcast: Broadcast, logger: Logger): BroadcastConsumer {
  const kept = keepChannel(
    () => link.channel(),
    async (channel) => {
      await channel.assertExchange(eventsExchange, 'topic', { durable: true });
      const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
      for (const type of broadcast.types) await channel.bindQueue(queue, eventsExchange, type);
      await channel.consume(
        queue,
        (message) => {
          if (message) hear(message);
          else void channel.close().catch(() => {});
        },
        { noAck: true },
      );
      tell(broadcast.onBound);
    },
    () => tell(broadcast.onLost),
  );

  function hear(message: ConsumeMessage): void {
    const parsed = parseEvent(message.content.toString());
    if ('unreadable' in parsed) logger.error({ broadcast: broadcast.name, reason: parsed.unreadable }, 'unreadable');
    else tell(() => broadcast.handle(parsed.event));
  }

  function tell(listener: (() => void) | undefined): void {
    try {
      listener?.();
    } catch (error) {
      logger.error({ err: error, broadcast: broadcast.name }, 'a listener failed');
    }
  }

  return {
    isBound: () => kept.current() !== undefined,
    trouble: () => kept.trouble(),
    firstAttempt: kept.firstAttempt,
    close: () => kept.close(),
  };
}
