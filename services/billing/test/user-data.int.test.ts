import { identityEvents, newId } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { admin, startBilling, teaHouse, type Harness, type Person } from './harness.ts';
import { receiveMoney } from './money.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const lines = [{ description: 'Tea', quantity: 2, unitPrice: eur(1000), taxRate: 19 }];
const issue = async (who: Person) =>
  (await billing.call(admin, 'POST', '/v1/invoices', { accountId: who.id, lines })).body;

async function erase(who: Person) {
  const data = { email: 'buyer@example.com', role: 'trade' as const };
  const requested = newEvent(identityEvents.userErasureRequested, who.id, data, 9);
  await billing.publish(requested, requested);
  await eventually(() => billing.eventsOf(who.id, 'billing.user-data-erased').length > 0, 'the answer');
  await billing.idle();
  expect(billing.eventsOf(who.id, 'billing.user-data-erased').map(({ data }) => data)).toEqual([
    { requestId: requested.id },
  ]);
}

describe('an erasure', () => {
  it('keeps what the law wants, and shows it to nobody', async () => {
    const [who, other] = [await billing.newAccount(), await billing.newAccount()];
    const [invoice] = [await issue(who), await issue(other)];
    await erase(who);
    const path = `/v1/trade-accounts/${who.id}`;
    for (const answer of [
      await billing.call(who, 'GET', '/v1/invoices'),
      await billing.call(who, 'GET', `/v1/invoices/${invoice.id}`),
      await billing.call(who, 'GET', '/v1/invoices/credit'),
      await billing.call(admin, 'GET', `${path}/invoices`),
      await billing.call(admin, 'GET', `${path}/invoices/${invoice.id}`),
      await billing.call(admin, 'GET', `${path}/credit`),
      await billing.call(admin, 'PUT', `${path}/credit`, { limit: null, termsDays: 1, hold: false }),
      await billing.call(admin, 'POST', `/v1/invoices/${invoice.id}/void`, {}),
      await billing.call(admin, 'POST', `/v1/invoices/${invoice.id}/credit-notes`, { reason: 'Late' }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    const listed = async (query: string) =>
      (await billing.call(admin, 'GET', `/v1/invoices?${query}`)).body.data.map((one: any) => one.accountId);
    expect(await listed('limit=2')).toEqual([other.id]);
    expect(await listed(`account=${who.id}`)).toEqual([]);
    expect(await listed(`number=${invoice.number}`)).toEqual([]);
    const refused = await billing.call(admin, 'POST', '/v1/invoices', { accountId: who.id, lines });
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'not_found']);
    expect(await billing.collection('invoices').findOne({ _id: invoice.id })).toMatchObject({
      number: invoice.number,
      buyer: { businessName: teaHouse.name },
    });
    // What is owed can still be paid.
    await receiveMoney(billing, who.id, 2380, [invoice.id]);
    expect(await billing.collection('invoices').findOne({ _id: invoice.id })).toMatchObject({ status: 'paid' });
    expect((await billing.call(other, 'GET', '/v1/invoices')).body.data).toHaveLength(1);
    await assertBooks(billing);
  });

  it('leaves nothing of an account without invoices and payments, and no late event brings it back', async () => {
    const who = await billing.newAccount();
    await erase(who);
    const decided = {
      email: 'buyer@example.com',
      firstName: 'Bea',
      lastName: 'Buyer',
      businessName: teaHouse.name,
      reason: null,
      business: teaHouse,
      submittedAt: new Date().toISOString(),
    };
    await billing.publish(newEvent(identityEvents.tradeAccountReinstated, who.id, decided, 12));
    await billing.idle();
    for (const name of ['accounts', 'invoices', 'refused_orders', 'journal', 'payments'])
      expect(JSON.stringify(await billing.collection(name).find().toArray())).not.toContain(who.id);
  });

  it('empties the callbacks whose work is done', async () => {
    const who = await billing.newAccount();
    const paymentId = await receiveMoney(billing, who.id, 100);
    const callback = {
      version: 1,
      outbox: [],
      provider: 'stripe',
      reason: null,
      eventId: 'evt_1',
      type: 'payment.succeeded',
      paymentId,
      address: null,
      bytes: 2,
      body: '{"name":"Bea Buyer"}',
      receivedAt: new Date(),
      doneAt: new Date(),
      replays: 0,
      deleteAt: null,
    };
    const [done, failed] = [newId('cbk'), newId('cbk')];
    await billing.collection('callbacks').insertMany([
      { ...callback, _id: done as any, outcome: 'done' },
      { ...callback, _id: failed as any, outcome: 'failed' },
    ]);
    await erase(who);
    const bodies = await billing.collection('callbacks').find({ paymentId }).sort({ outcome: 1 }).toArray();
    expect(bodies.map(({ outcome, body }) => [outcome, body])).toEqual([
      ['done', null],
      ['failed', callback.body],
    ]);
  });
});

it('an export has the credit, the invoices with their credit notes, and the payments', async () => {
  const [who, other] = [await billing.newAccount(), await billing.newAccount()];
  const [first, second] = [await issue(who), await issue(who)];
  await issue(other);
  await billing.call(admin, 'POST', `/v1/invoices/${first.id}/credit-notes`, { reason: 'Damaged' });
  const paymentId = await receiveMoney(billing, who.id, 100, [second.id]);
  const exportId = newId('exp');
  const data = { email: 'buyer@example.com', exportId };
  await billing.publish(newEvent(identityEvents.userExportRequested, who.id, data, 9));
  const [event] = await eventually(() => {
    const found = billing.eventsOf(who.id, 'billing.user-data-exported');
    return found.length > 0 ? found : null;
  }, 'the export');
  expect(event?.data).toMatchObject({
    exportId,
    data: {
      credit: { business: { businessName: teaHouse.name }, limit: 500_000, outstanding: 2280 },
      invoices: [
        { id: second.id, number: second.number, total: 2380, payments: [{ paymentId, amount: 100 }] },
        { id: first.id, creditNotes: [{ reason: 'Damaged', total: 2380 }] },
      ],
      payments: [{ id: paymentId, received: 100 }],
    },
  });
  expect(event?.data.data.invoices[0]).not.toHaveProperty('steps');
});
