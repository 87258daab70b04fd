import { identityEvents, topology } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import type { Bus } from '@storefront/messaging';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIdentity } from './harness.ts';
import type { Harness } from './harness.ts';

let identity: Harness;
let vhost: Awaited<ReturnType<typeof freshVhost>>;
let bus: Bus;
const received: Event<any>[] = [];

beforeAll(async () => {
  vhost = await freshVhost('identity');
  const { logger } = memoryLogger();
  bus = await connectRabbitmq({ url: vhost.url, topology, logger, name: 'test' });
  await bus.subscribe({
    queue: 'engagement.on-user-registered',
    types: [identityEvents.userRegistered.type],
    async handle(event) {
      received.push(event);
      return 'done';
    },
  });
  await bus.broadcast({
    name: 'gateway',
    types: [identityEvents.tokensRevoked.type, identityEvents.revocationsPublished.type],
    handle: (event) => received.push(event),
  });
  identity = await startIdentity('identity_rabbitmq', { AMQP_URL: vhost.url });
});
afterAll(async () => {
  await identity.close();
  await bus.close();
  await vhost.drop();
});

it('tells over RabbitMQ what happened, by its contract, and empties the outbox', async () => {
  const email = 'ada@one.example';
  const form = { email, password: 'a quiet lake in the morning', firstName: 'Ada', lastName: 'Lovelace' };
  await identity.post('/v1/auth/register', form);
  const code = await identity.digitsIn(
    await eventually(() => received.find(({ data }) => data.email === email), 'the registration'),
  );
  const { body } = await identity.post('/v1/auth/verify', { email, code });
  await identity.post('/v1/auth/logout', undefined, body.accessToken);
  const revoked = await eventually(
    () => received.find(({ type }) => type === identityEvents.tokensRevoked.type),
    'the revocation',
  );
  expect(identityEvents.tokensRevoked.data.parse(revoked.data)).toMatchObject({ tokenVersion: 2, reason: 'logout' });
  await eventually(
    () =>
      received.find(({ type, data }) => type === identityEvents.revocationsPublished.type && data.upTo > revoked.time),
    'a watermark beyond the revocation',
  );
  await eventually(
    async () => (await identity.collection('users').countDocuments({ 'outbox.0': { $exists: true } })) === 0,
    'an empty outbox',
  );
});
