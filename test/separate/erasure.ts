import { randomUUID } from 'node:crypto';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOf, codeIn, mailTo, type Client } from '../client.ts';
import { expectOk, password } from '../people.ts';
import { scanOf, type Scan } from '../scan.ts';
import type { SeparateSystem } from '../separate-system.ts';

let system: SeparateSystem;
let client: Client;
let other: Client;
let scan: Scan;
let adminToken: string;
let productId: string;
const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** Registers and proves the email; anew where somebody of that name was erased. */
async function register(name: string) {
  const email = `${name}@erasure.example`;
  const body = { email, password, firstName: 'Ada', lastName: `Of-${name}`, phone: '+31 20 123 4567' };
  const { registrationId } = expectOk(await client.call('POST', '/v1/auth/register', { body, key: randomUUID() }));
  const code = codeIn(await mailTo(system.mailbox, email, /code/i));
  const {
    accessToken: token,
    refreshToken,
    user,
  } = expectOk(await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } }));
  return { email, lastName: body.lastName, token, refreshToken, id: user.id as string };
}
type Person = Awaited<ReturnType<typeof register>>;

/** Leaves something of them wherever something can be left. */
async function settle({ token, email }: Person): Promise<void> {
  const post = async (path: string, body: object) =>
    expectOk(await client.call('POST', path, { token, body, key: randomUUID() }));
  await post('/v1/users/me/addresses', {
    contactPhone: '020 123 4567',
    homeAddress: `Keizersgracht 1, c/o ${email}`,
    city: 'Amsterdam',
    country: 'NL',
  });
  await post('/v1/customers', { firstName: 'Charles', lastName: 'Babbage', email: `friend-of-${email}` });
  await eventually(
    async () => (await client.call('POST', '/v1/wishlist/items', { token, body: { productId } })).status === 201,
    'account to know the product',
  );
  await post('/v1/wishlist/share', {});
  // In stock again: an alert for everybody who wishes for it.
  for (const change of [-5, 5])
    expectOk(await client.call('POST', `/v1/products/${productId}/stock`, { token: adminToken, body: { change } }));
  await eventually(
    async () => (await client.call('GET', '/v1/notifications?type=back-in-stock', { token })).body.data.length > 0,
    'the alert',
  );
  const types = { wishlist: { EMAIL: false } };
  expectOk(await client.call('PUT', '/v1/notifications/preferences', { token, body: { types } }));
  // They forget the password, and somebody else registers the email.
  expectOk(await client.call('POST', '/v1/auth/password/forgot', { body: { email } }));
  const stranger = { email, password: 'the keeper of the keys', firstName: 'Mallory', lastName: 'Moor' };
  expectOk(await client.call('POST', '/v1/auth/register', { body: stranger }));
  await mailTo(system.mailbox, email, /new password/i);
  await mailTo(system.mailbox, email, /already have an account/i);
  await mailTo(system.mailbox, email, /welcome/i);
}

const eraseMe = (token: string) => client.call('DELETE', '/v1/users/me', { token, body: { password } });
const left = (person: Person) => scan.documentsWith(person.id, person.email, person.lastName);
const storesOf = async (person: Person) => Object.keys(await left(person)).toSorted();

/** Waits for that to be where something of them is: a request that a service has answered stays until its events are published. */
const untilStoresAre = (person: Person, stores: readonly string[]) =>
  eventually(
    async () => {
      expect(await storesOf(person)).toEqual(stores);
      return true;
    },
    'nothing of them to be elsewhere',
    60_000,
  );

/** What stays for as long as an access token lives, so that no gateway takes the last ones: an id that leads nowhere. */
const revokedOnly = (person: Person) => ({
  'identity.erased_users': [{ _id: person.id, ver: 2, until: expect.any(Date) }],
});

/** What an erasure leaves of somebody in all databases of a system, one of whose services is halted on the way. */
export function testErasure(systemOf: () => SeparateSystem): void {
  beforeAll(async () => {
    system = systemOf();
    [client, other] = [clientOf(system.gateways[0]), clientOf(system.gateways[1])];
    scan = await scanOf(system.mongodbUrl);
    const { admin } = system.description.accounts;
    adminToken = expectOk(await client.call('POST', '/v1/auth/login', { body: admin })).accessToken;
    const mug = { sku: 'MUG-1', name: 'Blue mug', price: euros(1999), stock: 5, status: 'active' };
    productId = expectOk(await client.call('POST', '/v1/products', { token: adminToken, body: mug })).id;
  });
  afterAll(() => scan?.close());

  it('gives somebody everything that is kept about them, then leaves nothing of it anywhere', async () => {
    const person = await register('ada');
    await settle(person);
    const { token, email, id } = person;

    const { body: asked } = await client.call('POST', '/v1/users/me/export', { token, key: randomUUID() });
    expect(asked.status).toBe('pending');
    await mailTo(system.mailbox, email, /your data is ready/i);
    const { body: copy } = await client.call('GET', `/v1/users/me/exports/${asked.id}`, { token });
    expect(copy.status).toBe('ready');
    expect(copy.data).toMatchObject({
      identity: {
        user: { id, email, phone: '+31 20 123 4567' },
        sessions: [{ ip: expect.any(String) }],
        activity: expect.arrayContaining([expect.objectContaining({ action: 'export-requested', by: 'you' })]),
      },
      account: {
        addresses: [{ homeAddress: `Keizersgracht 1, c/o ${email}`, contactPhone: '+31201234567' }],
        wishlist: [{ productId }],
        wishlistSharedAt: expect.any(String),
        customers: [{ firstName: 'Charles', email: `friend-of-${email}` }],
      },
      engagement: {
        recipient: { email },
        preferences: { types: { wishlist: { EMAIL: false } } },
        notifications: [{ type: 'back-in-stock', data: { productId } }, { type: 'welcome' }],
        deliveries: expect.arrayContaining([expect.objectContaining({ email, template: 'welcome' })]),
      },
    });
    await untilStoresAre(person, [
      'account.address_books',
      'account.customers',
      'account.wishlist_alerts',
      'account.wishlists',
      'engagement.deliveries',
      'engagement.notifications',
      'engagement.preferences',
      'engagement.recipients',
      'identity.data_requests',
      'identity.emails',
      'identity.known_clients',
      'identity.recoveries',
      'identity.registrations',
      'identity.sessions',
      'identity.users',
    ]);

    const answer = await eraseMe(token);
    expect(answer).toMatchObject({ status: 202, body: { status: 'erasing' } });
    expect((await client.call('GET', '/v1/users/me', { token })).status).toBe(401);
    expect((await client.call('GET', '/v1/wishlist', { token })).status).toBe(401);
    const refresh = { refreshToken: person.refreshToken };
    expect((await client.call('POST', '/v1/auth/refresh', { body: refresh })).status).toBe(401);
    expect((await client.call('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(401);
    await eventually(
      async () => (await other.call('GET', '/v1/users/me', { token })).status === 401,
      'the other gateway to refuse the token',
    );

    await mailTo(system.mailbox, email, /being erased/i);
    await eventually(async () => {
      expect(await left(person)).toEqual(revokedOnly(person));
      return true;
    }, 'nothing left of them');

    const anew = await register('ada');
    expect(anew.id).not.toBe(id);
    const { body: addresses } = await client.call('GET', '/v1/users/me/addresses', { token: anew.token });
    expect(addresses.data).toEqual([]);
    const { body: notifications } = await client.call('GET', '/v1/notifications', { token: anew.token });
    expect(notifications.data.map(({ type }: { type: string }) => type)).not.toContain('user-export-ready');
    expect((await client.call('GET', '/v1/users/me', { token })).status).toBe(401);
  });

  it('waits for a service that is away, and goes on when it is back', async () => {
    const person = await register('grace');
    await settle(person);
    const { account } = system.processes();
    if (!account) throw new Error('account is not running');
    process.kill(account, 'SIGSTOP');
    expect((await eraseMe(person.token)).status).toBe(202);
    await eventually(
      async () => !(await storesOf(person)).some((name) => name.startsWith('engagement.')),
      'engagement',
    );
    await untilStoresAre(person, [
      'account.address_books',
      'account.customers',
      'account.wishlist_alerts',
      'account.wishlists',
      'identity.data_requests',
      'identity.emails',
      'identity.known_clients',
      'identity.recoveries',
      'identity.registrations',
      'identity.users',
    ]);
    expect((await client.call('GET', '/v1/users/me', { token: person.token })).status).toBe(401);

    process.kill(account, 'SIGKILL');
    await eventually(
      async () => {
        expect(await left(person)).toEqual(revokedOnly(person));
        return true;
      },
      'nothing left of them after the return of account',
      90_000,
    );
    expect((await register('grace')).id).not.toBe(person.id);
  });
}
