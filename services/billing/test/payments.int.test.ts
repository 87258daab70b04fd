import { createHmac } from 'node:crypto';
import { newId } from '@storefront/contracts';
import { eventually, startProxy } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountWith } from './accounts.ts';
import { assertBalancesPublished, assertBooks } from './assert-books.ts';
import { demoBody, send, type Stated } from './callbacks.ts';
import {
  admin,
  demoSecret,
  person,
  startBilling,
  statuses,
  times,
  wrongFields,
  type Harness,
  type Person,
} from './harness.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ settings: { DEMO_PAYMENT_SECRETS: `${demoSecret},another secret of the tests` } });
});
afterEach(async () => {
  await assertBooks(billing);
  await assertBalancesPublished(billing);
});
afterAll(() => billing.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const pay = (who: Person, invoiceIds: readonly string[], more: object = {}, headers = {}) =>
  billing.call(who, 'POST', '/v1/payments', { invoiceIds, ...more }, headers);
const account = async ({ id }: Person) => await billing.collection('accounts').findOne({ _id: id as any });
const invoice = async (id: string) => (await billing.call(admin, 'GET', await pathOf(id))).body;
const pathOf = async (id: string) => {
  const { accountId } = (await billing.collection('invoices').findOne({ _id: id as any })) as unknown as {
    accountId: string;
  };
  return `/v1/trade-accounts/${accountId}/invoices/${id}`;
};
const payment = async (id: string) => (await billing.call(admin, 'GET', `/v1/payments/${id}`)).body;

/** The id of the payment that counts what the provider says. */
async function state(stated: Stated): Promise<string> {
  const body = demoBody(stated);
  await send(billing, body);
  const { id: eventId } = JSON.parse(body) as { id: string };
  const entry = await eventually(
    () => billing.collection('callbacks').findOne({ eventId, outcome: { $in: ['done', 'failed'] } }),
    `the work of ${eventId}`,
  );
  return entry['paymentId'] as string;
}

describe('a payment', () => {
  it('is of all that is owed, and is paid at the page of the provider', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }, { total: 5050 }]);
    const invoiceIds = invoices.map(({ id }) => id);
    const { status, body, headers } = await pay(owner, invoiceIds);
    const numbers = invoices.map(({ number }) => number).join();
    const path = `/pay/${body.id}?amount=8050&currency=EUR&for=${encodeURIComponent(numbers)}`;
    const signature = createHmac('sha256', demoSecret).update(path).digest('hex');
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/payments/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^pay_/),
      accountId: owner.id,
      orderId: null,
      provider: 'demo',
      status: 'pending',
      amount: eur(8050),
      received: eur(0),
      refunded: eur(0),
      invoiceIds,
      allocations: [],
      remainder: eur(0),
      unallocatedReason: null,
      redirectUrl: `https://pay.example${path}&t=${signature}`,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await billing.call(owner, 'GET', `/v1/payments/${body.id}`)).body).toEqual(body);
    await state({ paymentId: body.id, amount: 8050, reference: 'tr_page' });
    expect(await payment(body.id)).toMatchObject({
      status: 'succeeded',
      received: eur(8050),
      redirectUrl: null,
      allocations: invoiceIds.map((invoiceId, at) => ({ invoiceId, amount: eur([3000, 5050][at] ?? 0) })),
    });
  });

  it('leads back to the shop, with its id', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const returnUrl = 'https://shop.example/invoices/of-may?page=2';
    const { body } = await pay(owner, [invoices[0]?.id ?? ''], { returnUrl });
    expect(new URL(body.redirectUrl).searchParams.get('return')).toBe(`${returnUrl}&payment=${body.id}`);
  });

  it('may be of a part', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    expect((await pay(owner, [invoices[0]?.id ?? ''], { amount: eur(1) })).body).toMatchObject({ amount: eur(1) });
    const more = await pay(owner, [invoices[0]?.id ?? ''], { amount: eur(3001) });
    expect([more.status, more.body.code]).toEqual([422, 'more_than_owed']);
    expect(more.body.detail).toContain('30.00 EUR');
  });

  it('names every wrong field', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const { invoices: foreign } = await accountWith(billing, [{ total: 3000 }]);
    const [own = '', other = ''] = [invoices[0]?.id, foreign[0]?.id];
    const answer = await pay(owner, [other, own, newId('inv')]);
    expect([answer.status, wrongFields(answer)]).toEqual([
      400,
      { '/invoiceIds/0': 'not_found', '/invoiceIds/2': 'not_found' },
    ]);
    const returnUrl = 'https://shop.example.org/invoices';
    const amounts = await pay(owner, [own, own], { amount: { amount: 0, currency: 'USD' }, returnUrl });
    expect(wrongFields(amounts)).toEqual({
      '/invoiceIds': 'invalid_value',
      '/amount/currency': 'other_currency',
      '/amount/amount': 'too_small',
      '/returnUrl': 'not_allowed',
    });
    expect((await pay(owner, [])).status).toBe(400);
  });

  it('is of something that is owed', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000, isVoid: true }, { total: 1000 }]);
    const [isVoid = '', paid = ''] = invoices.map(({ id }) => id);
    await state({ invoiceNumber: invoices[1]?.number, amount: 1000, reference: 'tr_owed' });
    const answer = await pay(owner, [isVoid, paid]);
    expect([answer.status, answer.body.code]).toEqual([422, 'nothing_owed']);
  });

  it('is for trade accounts', async () => {
    for (const [who, status] of [
      [null, 401],
      [person('retail'), 403],
      [admin, 403],
    ] as const)
      expect((await billing.call(who, 'POST', '/v1/payments', { invoiceIds: [newId('inv')] })).status).toBe(status);
  });

  it('is made once under one Idempotency-Key, also where its answer is long', async () => {
    const { owner, invoices } = await accountWith(
      billing,
      Array.from({ length: 50 }, () => ({ total: 100 })),
    );
    const invoiceIds = invoices.map(({ id }) => id);
    const answers = await times(3, () => pay(owner, invoiceIds, {}, { 'idempotency-key': 'once' }));
    expect(statuses(answers)).toEqual({ 201: 3 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await billing.collection('payments').countDocuments({ accountId: owner.id })).toBe(1);
  });

  it('waits with 50 of its account at most, for 30 days', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000, due: 90 }]);
    const ids = [invoices[0]?.id ?? ''];
    const answers = await times(60, () => pay(owner, ids));
    expect(statuses(answers)).toEqual({ 201: 50, 429: 10 });
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.body.code, refused?.headers.get('retry-after')]).toEqual(['too_many_pending_payments', '3600']);
    const first = answers.find(({ status }) => status === 201);
    await state({ paymentId: first?.body.id, type: 'payment.failed', reference: 'tr_bound' });
    expect((await pay(owner, ids)).status).toBe(201);
    expect((await pay(owner, ids)).status).toBe(429);
    await billing
      .collection('payments')
      .updateMany({ accountId: owner.id }, { $set: { createdAt: new Date(Date.now() - 31 * 24 * 3_600_000) } });
    expect((await pay(owner, ids)).status).toBe(201);
  });

  it('is made beside 40 others of one moment where each answer of the database takes 40 ms', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const proxy = await startProxy(billing.settings['MONGODB_URL'] ?? '');
    const url = new URL(proxy.url);
    url.search = '?directConnection=true';
    const slow = await billing.another({ settings: { MONGODB_URL: url.href } });
    const at = billing.instances.indexOf(slow);
    proxy.delay(20);
    const body = { invoiceIds: [invoices[0]?.id] };
    // Together they take longer than a transaction may.
    const answers = await times(40, () => billing.callOn(at, owner, 'POST', '/v1/payments', body));
    proxy.accept();
    await slow.close();
    await proxy.close();
    expect(statuses(answers)).toEqual({ 201: 40 });
  });

  it('can not be made where no provider has a page', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const secrets = { STRIPE_WEBHOOK_SECRETS: 'whsec_of_the_tests', DEMO_PAYMENT_SECRETS: '', DEMO_PAYMENT_URL: '' };
    const other = await billing.another({ settings: { PAYMENT_PROVIDERS: 'stripe', ...secrets } });
    const at = billing.instances.indexOf(other);
    const body = { invoiceIds: [invoices[0]?.id] };
    const answer = await billing.callOn(at, owner, 'POST', '/v1/payments', body);
    expect([answer.status, answer.body.code]).toEqual([422, 'payments_not_configured']);
    await other.close();
  });
});

describe('the list of payments', () => {
  it('has those of the account, and for administrators all', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const { owner: other, invoices: others } = await accountWith(billing, [{ total: 3000 }]);
    const ids = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await pay(owner, [invoices[0]?.id ?? ''])).body.id);
    const foreign = (await pay(other, [others[0]?.id ?? ''])).body.id;
    await state({ paymentId: ids[0], amount: 1, reference: 'tr_list' });
    const list = async (who: Person, query = '') => {
      const { status, body } = await billing.call(who, 'GET', `/v1/payments?${query}`);
      return status === 200 ? body.data.map(({ id }: { id: string }) => id) : body.code;
    };
    expect(await list(owner)).toEqual(ids);
    expect(await list(owner, 'status=pending')).toEqual(ids.slice(1));
    expect(await list(admin, 'limit=2')).toEqual([foreign, ids[0]]);
    expect(await list(admin, 'limit=2&status=pending')).toEqual([foreign, ids[1]]);
    expect(await list(admin, `account=${owner.id}`)).toEqual(ids);
    expect(await list(admin, `account=${owner.id}&status=succeeded`)).toEqual([ids[0]]);
    expect(await list(owner, `account=${owner.id}`)).toBe('role_required');
    expect(await list(person('retail'))).toBe('trade_account_required');
    const page = (await billing.call(owner, 'GET', '/v1/payments?limit=2')).body;
    expect(await list(owner, `limit=2&cursor=${page.nextCursor}`)).toEqual(ids.slice(2));
    expect(await list(other, `limit=2&cursor=${page.nextCursor}`)).toBe('invalid_cursor');
    expect((await billing.call(other, 'GET', `/v1/payments/${ids[0]}`)).status).toBe(404);
    expect((await billing.call(person('retail'), 'GET', `/v1/payments/${ids[0]}`)).body.code).toBe(
      'trade_account_required',
    );
    expect((await billing.call(admin, 'GET', `/v1/payments/${ids[0]}`)).status).toBe(200);
  });
});

describe('unallocated money', () => {
  const allocate = (id: string, allocation: object, headers = {}) =>
    billing.call(admin, 'POST', `/v1/payments/${id}/allocate`, allocation, headers);

  it('pays what an administrator says, and the remainder is credit', async () => {
    const id = await state({ invoiceNumber: 'INV-1999-000003', amount: 5000, reference: 'tr_stray' });
    const { owner, invoices } = await accountWith(billing, [
      { total: 3000, due: 20 },
      { total: 1500, due: 10 },
    ]);
    const invoiceIds = invoices.map(({ id: each }) => each);
    const key = { 'idempotency-key': 'allocate' };
    const answers = await times(2, () => allocate(id, { accountId: owner.id, invoiceIds }, key));
    expect(statuses(answers)).toEqual({ 200: 2 });
    expect(answers[0]?.body).toMatchObject({
      accountId: owner.id,
      status: 'succeeded',
      received: eur(5000),
      remainder: eur(500),
      unallocatedReason: null,
      allocations: [
        { invoiceId: invoiceIds[1], amount: eur(1500) },
        { invoiceId: invoiceIds[0], amount: eur(3000) },
      ],
    });
    expect(await account(owner)).toMatchObject({ outstanding: 0, unused: 500 });
    const published = await eventually(
      () => billing.eventsOf(id, 'billing.payment-received')[0]?.data,
      'the event about the money',
    );
    expect(published).toMatchObject({ accountId: owner.id, amount: 5000, credit: 500 });
    const audit = await eventually(() => billing.eventsOf(id, 'billing.action-audited')[0]?.data, 'the audit entry');
    expect(audit).toMatchObject({
      action: 'payment-allocated',
      about: owner.id,
      details: { amount: 5000, currency: 'EUR' },
    });
    const again = await allocate(id, { accountId: owner.id });
    expect([again.status, again.body.code]).toEqual([409, 'nothing_to_allocate']);
    await state({ type: 'payment.refunded', amount: 1000, reference: 'tr_stray' });
    expect(await payment(id)).toMatchObject({ received: eur(4000), remainder: eur(0) });
    expect(await invoice(invoiceIds[0] ?? '')).toMatchObject({ status: 'open', balance: eur(500) });
  });

  it('names every wrong field, and stays as it is', async () => {
    const id = await state({ amount: 5000, reference: 'tr_wrong' });
    const { owner } = await accountWith(billing, []);
    const { invoices: foreign } = await accountWith(billing, [{ total: 3000 }]);
    const wrong = await allocate(id, { accountId: owner.id, invoiceIds: [foreign[0]?.id], worth: eur(1) });
    expect([wrong.status, wrongFields(wrong)]).toEqual([400, { '/invoiceIds/0': 'not_found', '/worth': 'not_taken' }]);
    expect(wrongFields(await allocate(id, { accountId: newId('user') }))).toEqual({ '/accountId': 'not_found' });
    expect(await payment(id)).toMatchObject({ status: 'unallocated', remainder: eur(5000), accountId: null });
    expect((await allocate(newId('pay'), { accountId: owner.id })).status).toBe(404);
    const trade = await billing.call(owner, 'POST', `/v1/payments/${id}/allocate`, { accountId: owner.id });
    expect(trade.status).toBe(403);
  });

  it('of another currency counts with what an administrator says that it is worth', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const [{ id: invoiceId, number }] = invoices as [{ id: string; number: string }];
    const id = await state({ invoiceNumber: number, amount: 4000, currency: 'USD', reference: 'tr_dollars' });
    const given = { accountId: owner.id, invoiceIds: [invoiceId] };
    expect(wrongFields(await allocate(id, given))).toEqual({ '/worth': 'required' });
    expect(wrongFields(await allocate(id, { ...given, worth: { amount: 0, currency: 'USD' } }))).toEqual({
      '/worth/currency': 'other_currency',
      '/worth/amount': 'too_small',
    });
    const { body } = await allocate(id, { ...given, worth: eur(3500) });
    expect(body).toMatchObject({
      received: { amount: 4000, currency: 'USD' },
      allocations: [{ invoiceId, amount: eur(3000) }],
      remainder: eur(500),
    });
    await state({ type: 'payment.refunded', amount: 2000, currency: 'USD', reference: 'tr_dollars' });
    expect(await payment(id)).toMatchObject({
      received: { amount: 2000, currency: 'USD' },
      refunded: { amount: 2000, currency: 'USD' },
      allocations: [{ invoiceId, amount: eur(1750) }],
      remainder: eur(0),
    });
  });
});
