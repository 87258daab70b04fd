import type { Channel } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import type { Link } from './link.ts';

const closeTimeoutMs = 1_000;

/** Does something on a channel of its own and closes it, which gives back what was taken and not answered. */
export async function visit<Result>(link: Link, work: (channel: Channel) => Promise<Result>): Promise<Result> {
  if (!link.isOpen()) throw new MessagingError('messaging_broker_away', `RabbitMQ is away: ${link.trouble()}`);
  const channel = await link.channel();
  channel.on('error', () => {});
  try {
    return await work(channel);
  } finally {
    await settledWithin(closeTimeoutMs, channel.close());
  }
}
