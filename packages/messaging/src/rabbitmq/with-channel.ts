import type { Channel } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import type { RecoveringConnection } from './recovering-connection.ts';

/** The connection on which channels are opened. */
export type Channels = Pick<RecoveringConnection, 'channel'>;

const closeTimeoutMs = 1_000;

/**
 * Runs `work` on its own channel and closes the channel. Messages that `work` took but did not acknowledge go back to
 * their queue. Throws a MessagingError `messaging_broker_away` where there is no connection.
 */
export async function withChannel<Result>(
  connection: RecoveringConnection,
  work: (channel: Channel) => Promise<Result>,
): Promise<Result> {
  if (!connection.isOpen())
    throw new MessagingError('messaging_broker_away', `RabbitMQ is away: ${connection.failure()}`);
  return withAttempts(connection, (attempts) => attempts.run(work));
}

/** Runs several operations, of which the broker may refuse some. */
export interface Attempts {
  /**
   * Runs `work` on an open channel. The broker closes the channel of a refused operation, so the next operation gets a
   * new channel.
   */
  run<Result>(work: (channel: Channel) => Promise<Result>): Promise<Result>;
}

export async function withAttempts<Result>(
  channels: Channels,
  work: (attempts: Attempts) => Promise<Result>,
): Promise<Result> {
  let channel: Channel | undefined;
  async function open(): Promise<Channel> {
    const opened = await channels.channel();
    opened.on('error', () => {});
    return opened;
  }
  async function close(): Promise<void> {
    const closing = channel;
    channel = undefined;
    if (closing) await settledWithin(closeTimeoutMs, closing.close());
  }
  try {
    return await work({
      async run(operation) {
        channel ??= await open();
        try {
          return await operation(channel);
        } catch (error) {
          await close();
          throw error;
        }
      },
    });
  } finally {
    await close();
  }
}

/** Returns the reply code with which the broker refused an operation; undefined for any other error. */
export function replyCodeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
}

export const accessRefused = 403;
export const notFound = 404;
