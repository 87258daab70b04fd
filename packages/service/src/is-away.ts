import { MessagingError } from '@storefront/messaging';
import { isDatabaseAway } from '@storefront/mongo';

// Of Node's sockets and name look-ups; ECONNECTION, ESOCKET and EDNS are those of the SMTP client.
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

// Errors of a member of a replica set that is not the primary, or can't reach the others in time. The driver labels only
// those of writes.
const replicaSetCodes = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 9_001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

const closedByDriver = /^Mongo(ClientClosed|ServerClosed|TopologyClosed|PoolClosed|PoolCleared|WaitQueueTimeout)/;

/**
 * Whether an error says that the database, the broker or the mail server can't be reached, or that its connection was
 * lost. Looks into causes, and into the parts of an AggregateError. Such an error is no failure of the handler.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isDatabaseAway(error) || closedByDriver.test(error.name)) return true;
  if (error instanceof MessagingError) return error.code === 'messaging_broker_away';
  const code = 'code' in error ? error.code : undefined;
  if (connectionCodes.has(code) || (error.name.startsWith('Mongo') && replicaSetCodes.has(code))) return true;
  return isAway(error.cause) || (error instanceof AggregateError && error.errors.some(isAway));
}
