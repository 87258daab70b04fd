import { connect, type ChannelModel } from 'amqplib';
import { MessagingError, messageOf } from '../errors.ts';
import { connectTimeoutMs } from './backoff.ts';

/**
 * Opens a connection that does not reconnect. Throws a MessagingError `messaging_broker_away` if the broker is
 * unreachable.
 */
export async function connectOnce(url: string): Promise<ChannelModel> {
  const connection = await connect(url, { timeout: connectTimeoutMs }).catch((error: unknown) => {
    throw new MessagingError('messaging_broker_away', `RabbitMQ can not be reached: ${messageOf(error)}`);
  });
  connection.on('error', () => {});
  return connection;
}
