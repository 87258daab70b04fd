import { gatewayEvents, identityEvents } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;

beforeAll(async () => {
  identity = await startIdentity({}, 'rabbitmq');
});
afterAll(() => identity.close());

it('publishes over RabbitMQ what happened, by its contract, and empties the outbox', async () => {
  const email = 'ada@one.example';
  const form = { email, password: 'a quiet lake in the morning', firstName: 'Ada', lastName: 'Lovelace' };
  const { registrationId } = (await identity.post('/v1/auth/register', form)).body;
  const ofType = ({ type }: { type: string }) => identity.events.filter((event) => event.type === type);
  const registered = () => ofType(identityEvents.userRegistered).find(({ data }) => data.email === email);
  const code = await identity.digitsIn(await eventually(registered, 'the registration'));
  const { body } = await identity.post('/v1/auth/verify', { registrationId, code });
  await identity.post('/v1/auth/logout', undefined, body.accessToken);
  const revoked = await eventually(() => ofType(identityEvents.tokensRevoked)[0], 'the revocation');
  expect(identityEvents.tokensRevoked.data.parse(revoked.data)).toMatchObject({ tokenVersion: 2, reason: 'logout' });
  await identity.publish(newEvent(gatewayEvents.revocationCheckRequested, 'one', { check: 1 }));
  await eventually(
    () => ofType(identityEvents.revocationsPublished).find(({ data }) => data.checks['one'] === 1),
    'the answer that everything before the check is published',
  );
  await eventually(
    async () => (await identity.collection('users').countDocuments({ 'outbox.0': { $exists: true } })) === 0,
    'an empty outbox',
  );
});
