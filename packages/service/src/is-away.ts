import { MessagingError } from '@storefront/messaging';
import { isDatabaseAway } from '@storefront/mongo';

// Error codes of Node's sockets and name look-ups; ECONNECTION, ESOCKET and EDNS come from the SMTP client.
const connectionCodes = new Set<unknown>([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ESOCKET',
  'ETIMEDOUT',
]);

// Error codes of a MongoDB server that is not the primary of its replica set, or can't reach the other servers in time.
// They are listed here because the driver labels such errors only for writes.
const replicaSetCodes = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 9_001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

const closedByDriver = /^Mongo(ClientClosed|ServerClosed|TopologyClosed|PoolClosed|PoolCleared|WaitQueueTimeout)/;

/**
 * Whether an error means that the database, the broker or the mail server can't be reached, or that a connection to one
 * of them was lost. Also checks causes and the errors of an AggregateError. Such an error is not the handler's fault.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isDatabaseAway(error) || closedByDriver.test(error.name)) return true;
  if (error instanceof MessagingError) return error.code === 'messaging_broker_away';
  const code = 'code' in error ? error.code : undefined;
  if (connectionCodes.has(code) || (error.name.startsWith('Mongo') && replicaSetCodes.has(code))) return true;
  return isAway(error.cause) || (error instanceof AggregateError && error.errors.some(isAway));
}
