import { billingEvents, newId, ordersEvents } from '@storefront/contracts';
import { newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
let admin: { accessToken: string; user: { id: string } };
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
  admin = (await identity.post('/v1/auth/login', root)).body;
});
afterAll(() => identity.close());

const list = (query: string, as = admin.accessToken) => identity.call('GET', `/v1/users?${query}`, { as });
const read = (id: string, as = admin.accessToken) => identity.call('GET', `/v1/users/${id}`, { as });
const emailsOf = async (query: string): Promise<string[]> =>
  (await list(query)).body.data.map(({ email }: { email: string }) => email);

describe('the list of accounts', () => {
  it('shows everybody, the newest first, page by page, to administrators alone', async () => {
    const ada = await identity.member('ada@list.example');
    const charles = await identity.applicant('charles@list.example');
    const { body: first } = await list('limit=1');
    expect(first.data).toEqual([
      expect.objectContaining({
        id: charles,
        role: 'trade',
        status: 'pending-approval',
        email: 'charles@list.example',
      }),
    ]);
    expect(first.data[0].trade).toMatchObject({ businessName: 'Analytical Engines' });
    const { body: rest } = await list(`limit=1&cursor=${first.nextCursor}`);
    const { body: own } = await identity.call('GET', '/v1/users/me', { as: ada.accessToken });
    expect(rest.data).toEqual([own]);
    expect(await emailsOf('')).toEqual(['charles@list.example', 'ada@list.example', root.email]);
    expect((await list('', ada.accessToken)).status).toBe(403);
    expect((await identity.call('GET', '/v1/users')).status).toBe(401);
  });

  it('is searched by the beginnings of names, email and business, all of which have to match', async () => {
    const person = { firstName: 'Søren', lastName: 'Ørsted' };
    await identity.post('/v1/auth/verify', (await identity.registered('soren@bücher.example', person)).proof);
    await identity.applicant('shop@words.example', { ...person, businessName: 'Tea & Coffee' });
    const [soren, shop] = ['soren@bücher.example', 'shop@words.example'];
    const found = (query: string) => emailsOf(`q=${encodeURIComponent(query)}`);
    for (const query of ['soren', 'ORST', 'sor ors']) expect(await found(query), query).toEqual([shop, soren]);
    for (const query of ['bucher', 'soren@bücher', 'kva']) expect(await found(query), query).toEqual([soren]);
    for (const query of ['tea', 'shop@words.example', 'coff søren']) expect(await found(query), query).toEqual([shop]);
    for (const query of ['oren', 'soren ada', '.*', '***', '{"$gt":""}']) expect(await found(query), query).toEqual([]);
  });

  it('finds people by what they are called now', async () => {
    const { accessToken } = await identity.member('grace@names.example');
    await identity.call('PATCH', '/v1/users/me', { as: accessToken, body: { lastName: 'Hopper' } });
    expect(await emailsOf('q=hopper')).toEqual(['grace@names.example']);
    expect(await emailsOf('q=grace%20love')).toEqual([]);
  });

  it('is filtered by role and status, together with a search', async () => {
    const trade = await identity.applicant('tom@filters.example');
    await identity.applicant('tim@filters.example');
    await identity.member('ted@filters.example');
    await identity.post(`/v1/trade-accounts/${trade}/approve`, { country: 'GB' }, admin.accessToken);
    expect(await emailsOf('role=admin')).toEqual([root.email]);
    expect(await emailsOf('q=filters&role=trade')).toEqual(['tim@filters.example', 'tom@filters.example']);
    expect(await emailsOf('q=filters&status=approved')).toEqual(['tom@filters.example']);
    expect(await emailsOf('q=filters&role=retail&status=active')).toEqual(['ted@filters.example']);
    expect(await emailsOf('role=retail&status=approved')).toEqual([]);
    for (const query of ['role=boss', 'status=unverified', `q=${'x'.repeat(201)}`, 'name=x'])
      expect((await list(query)).status, query).toBe(400);
  });
});

const party = { businessName: 'Quay 3 Ltd', address: '1 Mill Lane', country: 'NL', vatNumber: null };
const invoiceDocument = {
  number: 'INV-1',
  currency: 'EUR',
  issuedAt: '2026-11-21T09:30:00.000Z',
  issuedOn: '2026-11-21',
  buyer: party,
  seller: party,
  bank: null,
  lines: [],
  taxes: [],
  taxTreatment: 'domestic' as const,
  reverseCharge: false,
  subtotal: 0,
  tax: 0,
  total: 0,
  reference: null,
  orderRef: null,
  dueOn: '2026-12-21',
  termsDays: 30,
};

describe('an account', () => {
  it('is shown with its sessions and second factors', async () => {
    const people = secondFactors(identity);
    const { accessToken, user } = await people.memberWithTotp('mary@one.example');
    const passkey = await people.addPasskey(accessToken);
    const { body: own } = await identity.call('GET', '/v1/users/me', { as: accessToken });
    const answer = await read(user.id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toMatch(/^W\//);
    const { sessions, secondFactors: factors, orders, invoices, ...fields } = answer.body;
    expect(fields).toEqual(own);
    expect([orders, invoices]).toEqual([0, 0]);
    expect(factors).toEqual({
      totp: { confirmedAt: expect.any(String) },
      passkeys: [expect.objectContaining({ id: passkey.id, lastUsedAt: null })],
      recoveryCodesLeft: 10,
    });
    const { body: theirs } = await identity.call('GET', '/v1/auth/sessions', { as: accessToken });
    expect(sessions).toEqual(theirs.data.map(({ current: _current, ...session }: { current: boolean }) => session));
    expect(sessions).toMatchObject([{ device: 'test device', ip: '192.0.2.7' }]);
    await identity.post('/v1/auth/logout', undefined, accessToken);
    expect((await read(user.id)).body.sessions).toEqual([]);
  });

  it('is for administrators alone, and absent under any other id', async () => {
    const { accessToken, user } = await identity.member('nosy@one.example');
    expect((await read(user.id, accessToken)).status).toBe(403);
    for (const id of [newId('user'), newId('addr'), 'nonsense']) expect((await read(id)).status).toBe(404);
  });

  it('shows how many orders and invoices there are, each counted once', async () => {
    const { user } = await identity.member('buyer@one.example');
    const other = await identity.member('other@one.example');
    const recipient = { firstName: 'Ada', lastName: 'Lovelace' };
    const order = (orderId: string, userId = user.id) =>
      newEvent(ordersEvents.orderPlaced, orderId, { orderId, userId, recipient, placedAt: invoiceDocument.issuedAt });
    const { number, currency, total, dueOn } = invoiceDocument;
    const invoice = newEvent(billingEvents.invoiceIssued, newId('inv'), {
      accountId: user.id,
      number,
      currency,
      total,
      balance: total,
      dueOn,
      orderRef: null,
      document: invoiceDocument,
    });
    const first = order('A-1');
    await identity.publish(first, order('A-2'), invoice, first, order('A-1'), invoice, order('A-3', other.user.id));
    await identity.publish(order('A-4', newId('user')));
    await identity.idle();
    expect((await read(user.id)).body).toMatchObject({ orders: 2, invoices: 1 });
    expect((await read(other.user.id)).body).toMatchObject({ orders: 1, invoices: 0 });
    expect(await identity.collection('purchases').countDocuments()).toBe(4);
  });
});
