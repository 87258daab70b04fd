import { once } from 'node:events';
import { connect } from 'node:net';
import { MessagingError } from '@storefront/messaging';
import { expect, test } from 'vitest';
import { isAway } from './is-away.ts';

const named = (name: string, code?: number) => Object.assign(new Error('made'), { name, ...(code ? { code } : {}) });
const coded = (code: string) => Object.assign(new Error('made'), { code });

test('a connection that nobody answers is away', async () => {
  const [error] = await once(connect(1, '127.0.0.1'), 'error').catch((thrown: unknown) => [thrown]);
  expect(isAway(error)).toBe(true);
});

test.each([
  ['a pool of the driver that was cleared', named('MongoPoolClearedOnNetworkError')],
  ['a client of the driver that is closed', named('MongoClientClosedError')],
  ['a server of the driver that is closed', named('MongoServerClosedError')],
  ['a read of a member that is not the primary any more', named('MongoServerError', 10_107)],
  ['a member that is not ready to be read', named('MongoServerError', 13_436)],
  ['a read that took longer than it may', named('MongoServerError', 50)],
  ['a write that the others did not confirm in time', named('MongoWriteConcernError', 64)],
  ['a broker that is away', new MessagingError('messaging_broker_away', 'made')],
  ['a mail server that hangs up', coded('ECONNECTION')],
  ['a name that can not be resolved just now', coded('EAI_AGAIN')],
  ['a cause', new Error('the mail was not sent', { cause: coded('ETIMEDOUT') })],
  ['one of several', new AggregateError([new Error('made'), coded('ECONNRESET')])],
])('away: %s', (_what, error) => {
  expect(isAway(error)).toBe(true);
});

test.each([
  ['a fault of the handler', new TypeError('x is not a function')],
  ['a duplicate', named('MongoServerError', 11_000)],
  ['a subscription that nobody knows', new MessagingError('messaging_subscription_unknown', 'made')],
  ['a file that is missing', coded('ENOENT')],
  ['what is not an error', 'ECONNRESET'],
])('not away: %s', (_what, error) => {
  expect(isAway(error)).toBe(false);
});
