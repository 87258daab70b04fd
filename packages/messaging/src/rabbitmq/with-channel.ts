import type { Channel } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import type { RecoveringConnection } from './recovering-connection.ts';

const closeTimeoutMs = 1_000;

/**
 * Runs `work` on a channel of its own and closes it. Messages that it took and did not acknowledge go back.
 * Throws a MessagingError `messaging_broker_away` where there is no connection.
 */
export async function withChannel<Result>(
  connection: RecoveringConnection,
  work: (channel: Channel) => Promise<Result>,
): Promise<Result> {
  if (!connection.isOpen())
    throw new MessagingError('messaging_broker_away', `RabbitMQ is away: ${connection.failure()}`);
  const channel = await connection.channel();
  channel.on('error', () => {});
  try {
    return await work(channel);
  } finally {
    await settledWithin(closeTimeoutMs, channel.close());
  }
}
