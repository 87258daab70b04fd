import { eventually } from '@storefront/testing';
import { noRelay } from '@storefront/mongo';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSnapshots } from '../src/accounts/commands/read-snapshots.ts';
import { openUsers } from '../src/store/users.ts';
import { password, startIdentity, type IdentityHarness } from './harness.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
});
afterAll(() => identity.close());

it('reads a snapshot of every user, in order and at their version, but of nobody who is being erased', async () => {
  const people = [];
  for (const name of ['ada', 'grace', 'mary']) people.push(await identity.member(`${name}@one.example`));
  const [ada, grace] = people;
  await identity.call('PATCH', '/v1/users/me', { as: ada?.accessToken ?? '', body: { firstName: 'Augusta' } });
  await identity.call('DELETE', '/v1/users/me', { as: grace?.accessToken ?? '', body: { password } });
  const users = openUsers({ database: identity.connection, relay: noRelay, now: identity.now });
  const read = (after: string | undefined, limit: number) => readSnapshots({ users, now: identity.now }, after, limit);
  const snapshots = await eventually(() => read(undefined, 10), 'the users');
  expect(snapshots.map(({ data }) => (data as { email: string }).email)).toEqual([
    root.email,
    'ada@one.example',
    'mary@one.example',
  ]);
  expect(snapshots[1]).toMatchObject({
    type: 'identity.user-snapshot',
    subject: ada?.user.id,
    sequence: (await identity.collection('users').findOne({ _id: ada?.user.id })).version,
    data: { email: 'ada@one.example', firstName: 'Augusta', lastName: 'Lovelace', role: 'retail' },
  });
  expect(snapshots[1]?.data).not.toHaveProperty('isApproved');
  expect((await read(snapshots[0]?.subject, 1)).map(({ subject }) => subject)).toEqual([ada?.user.id]);
  expect(await read(snapshots.at(-1)?.subject, 10)).toEqual([]);

  expect(snapshots[1]?.data).not.toHaveProperty('business');

  // The snapshot of a trade account also has whether it is approved, and what its invoices show.
  const businessId = await identity.applicant('quay@one.example');
  const snapshotOfIt = async () =>
    (await read(snapshots.at(-1)?.subject, 10)).find(({ subject }) => subject === businessId)?.data;
  expect(await snapshotOfIt()).toMatchObject({ email: 'quay@one.example', role: 'trade', isApproved: false });
  const { trade } = await identity.collection('users').findOne({ _id: businessId });
  expect(await snapshotOfIt()).toMatchObject({
    business: { name: trade.businessName, address: trade.businessAddress, vatNumber: trade.vatNumber, country: 'GB' },
  });
  const { accessToken } = (await identity.post('/v1/auth/login', root)).body;
  const approval = await identity.call('POST', `/v1/trade-accounts/${businessId}/approve`, {
    as: accessToken,
    body: {},
  });
  expect(approval.status).toBe(200);
  expect(await snapshotOfIt()).toMatchObject({ role: 'trade', isApproved: true });
});
