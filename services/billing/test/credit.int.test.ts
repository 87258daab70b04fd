import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { admin, person, startBilling, wrongFields, type Harness } from './harness.ts';
import { receiveMoney } from './money.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ settings: { DEFAULT_CREDIT_LIMIT: '100000', DEFAULT_TERMS_DAYS: '21' } });
});
afterAll(() => billing.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const path = (id: string) => `/v1/trade-accounts/${id}/credit`;
const set = (id: string, terms: object = {}, headers = {}) =>
  billing.call(admin, 'PUT', path(id), { limit: eur(10_000), termsDays: 14, hold: false, ...terms }, headers);
const get = (id: string) => billing.call(admin, 'GET', path(id));
async function issue(accountId: string, amount: number) {
  const lines = [{ description: 'Tea', quantity: 1, unitPrice: eur(amount), taxRate: 0 }];
  const { body } = await billing.call(admin, 'POST', '/v1/invoices', { accountId, lines });
  return body;
}

describe('the credit of an account', () => {
  it('is what the shop grants at first, for its owner and for administrators', async () => {
    const buyer = await billing.newAccount();
    const own = await billing.call(buyer, 'GET', '/v1/invoices/credit');
    expect(own.status).toBe(200);
    expect(own.body).toEqual({
      accountId: buyer.id,
      limit: eur(100_000),
      termsDays: 21,
      hold: false,
      holdReason: null,
      outstanding: eur(0),
      reserved: eur(0),
      overdue: eur(0),
      credit: eur(0),
      available: eur(100_000),
      updatedAt: expect.any(String),
    });
    const read = await get(buyer.id);
    expect(read.body).toEqual(own.body);
    expect(read.headers.get('etag')).toBe('W/"1"');
  });

  it('is set by administrators, who learn of changes meanwhile', async () => {
    const buyer = await billing.newAccount();
    const answer = await set(buyer.id, {}, { 'if-match': 'W/"1"' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(answer.body).toMatchObject({ limit: eur(10_000), termsDays: 14, hold: false, available: eur(10_000) });
    expect((await set(buyer.id, { hold: true }, { 'if-match': 'W/"1"' })).body.code).toBe('version_mismatch');
    // The same again changes nothing.
    expect((await set(buyer.id)).headers.get('etag')).toBe('W/"2"');
    expect((await set(buyer.id, { hold: true })).body).toMatchObject({ hold: true, holdReason: 'administrator' });
    expect((await set(buyer.id, { limit: null })).body).toMatchObject({ hold: false, limit: null, available: null });
    expect((await issue(buyer.id, 100)).termsDays).toBe(14);
    await billing.idle();
    expect(billing.eventsOf(buyer.id, 'billing.action-audited').map(({ data }) => data)).toMatchObject([
      { action: 'credit-set', about: buyer.id, details: { limit: 10_000, limitBefore: 100_000, hold: false } },
      { action: 'credit-set', details: { hold: true } },
      { action: 'credit-set', details: { limit: null, hold: false } },
    ]);
  });

  it('is refused in another currency, to strangers, and of accounts that there are not', async () => {
    const buyer = await billing.newAccount();
    const wrong = await set(buyer.id, { limit: { amount: 1, currency: 'USD' }, termsDays: -1 });
    expect([wrong.status, wrongFields(wrong)]).toEqual([
      400,
      { '/limit/currency': 'other_currency', '/termsDays': 'too_small' },
    ]);
    for (const answer of [await set(newId('user')), await get(newId('user'))])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await billing.call(buyer, 'PUT', path(buyer.id), {})).status).toBe(403);
    expect((await billing.call(buyer, 'GET', path(buyer.id))).status).toBe(403);
    expect((await billing.call(person('retail'), 'GET', '/v1/invoices/credit')).status).toBe(403);
    expect((await billing.call(person('trade'), 'GET', '/v1/invoices/credit')).status).toBe(404);
  });

  it('says what is owed, overdue, paid beyond it and left', async () => {
    const buyer = await billing.newAccount();
    const [first, second] = [await issue(buyer.id, 3000), await issue(buyer.id, 2000)];
    await billing.collection('invoices').updateOne({ _id: first.id }, { $set: { status: 'overdue' } });
    await receiveMoney(billing, buyer.id, 2500, [second.id]);
    expect((await get(buyer.id)).body).toMatchObject({
      outstanding: eur(3000),
      overdue: eur(3000),
      credit: eur(500),
      available: eur(97_500),
    });
    // The next invoice uses it.
    expect(await issue(buyer.id, 400)).toMatchObject({ status: 'paid', amountPaid: eur(400), balance: eur(0) });
    expect(await issue(buyer.id, 400)).toMatchObject({ status: 'open', amountPaid: eur(100), balance: eur(300) });
    expect((await get(buyer.id)).body).toMatchObject({
      outstanding: eur(3300),
      credit: eur(0),
      available: eur(96_700),
    });
    await assertBooks(billing);
  });

  it('is published at 80 % of the limit, once until less than 70 % is owed', async () => {
    const buyer = await billing.newAccount();
    await set(buyer.id);
    const warnings = async () => {
      await billing.idle();
      return billing.eventsOf(buyer.id, 'billing.credit-warning').map(({ data }) => data);
    };
    const first = await issue(buyer.id, 7900);
    expect(await warnings()).toEqual([]);
    const second = await issue(buyer.id, 100);
    await issue(buyer.id, 500);
    const published = { currency: 'EUR', limit: 10_000, outstanding: 8000 };
    expect(await warnings()).toEqual([published]);
    // 7500 is less than 80 %, but not than 70 %.
    await receiveMoney(billing, buyer.id, 1000, [first.id]);
    await issue(buyer.id, 800);
    expect(await warnings()).toEqual([published]);
    await receiveMoney(billing, buyer.id, 2000, [first.id, second.id]);
    await issue(buyer.id, 2000);
    expect(await warnings()).toEqual([published, { ...published, outstanding: 8300 }]);
    // A smaller limit is reached by what is owed already.
    const other = await billing.newAccount();
    await issue(other.id, 8000);
    await set(other.id);
    await billing.idle();
    expect(billing.eventsOf(other.id, 'billing.credit-warning')).toHaveLength(1);
  });

  it('is on hold for what is overdue until it is paid, or an administrator lifts the hold', async () => {
    const buyer = await billing.newAccount();
    const { id } = await issue(buyer.id, 1000);
    await billing.collection('accounts').updateOne({ _id: buyer.id }, { $set: { overdueInvoices: [id, 'inv_old'] } });
    expect((await get(buyer.id)).body).toMatchObject({ hold: true, holdReason: 'overdue' });
    await receiveMoney(billing, buyer.id, 1000, [id]);
    expect((await billing.collection('accounts').findOne({ _id: buyer.id })).overdueInvoices).toEqual(['inv_old']);
    expect((await set(buyer.id)).body).toMatchObject({ hold: false, holdReason: null });
    await billing.suspend(buyer.id);
    expect((await get(buyer.id)).body).toMatchObject({ hold: true, holdReason: 'suspended' });
  });
});
