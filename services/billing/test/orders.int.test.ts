import { identityEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { admin, startBilling, type Harness, type Person } from './harness.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ instances: 2 });
});
afterAll(() => billing.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const lines = [
  { productId: 'prod_1', quantity: 3, unitPrice: eur(1099), description: 'Assam, 1 kg', sku: 'TEA-1' },
  { productId: 'prod_2', quantity: 1, unitPrice: eur(335), taxRate: 7 },
];

function order(who: Person, more: object = {}, orderId: string = newId('evt')) {
  return newEvent(ordersEvents.orderPlaced, orderId, {
    orderId,
    userId: who.id,
    recipient: { firstName: 'Ada', lastName: 'Lovelace' },
    placedAt: new Date().toISOString(),
    tier: 'trade',
    paymentTerms: 'invoice',
    lines,
    totals: { tax: eur(649), total: eur(4281) },
    ...more,
  });
}
const invoicesOf = async (who: Person) => (await billing.call(who, 'GET', '/v1/invoices')).body.data;
const published = (who: Person, type: string) => billing.eventsOf(who.id, `billing.${type}`).map(({ data }) => data);

describe('an order on account', () => {
  it('has one invoice, however often it comes and under whatever event', async () => {
    const buyer = await billing.newAccount();
    const placed = order(buyer, { reference: 'PO-1' });
    await billing.publish(placed, placed, order(buyer, { reference: 'PO-1' }, placed.subject));
    await billing.idle();
    await billing.publish(placed);
    await billing.idle();
    const found = await invoicesOf(buyer);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      orderRef: placed.subject,
      reference: 'PO-1',
      termsDays: 30,
      total: eur(4281),
      lines: [
        { description: 'Assam, 1 kg', sku: 'TEA-1', taxRate: 19 },
        { description: 'prod_2', sku: null, taxRate: 7 },
      ],
    });
    expect(billing.eventsOf(found[0].id, 'billing.invoice-issued')).toHaveLength(1);
    expect(billing.eventsOf(found[0].id, 'billing.action-audited')).toEqual([]);
    const again = await billing.call(admin, 'POST', '/v1/invoices', {
      accountId: buyer.id,
      orderRef: placed.subject,
      lines: [{ description: 'a', quantity: 1, unitPrice: eur(1), taxRate: 0 }],
    });
    expect(again.body.code).toBe('order_already_invoiced');
    await assertBooks(billing);
  });

  it('is published and not invoiced beyond the limit or on hold, once for each order, and for good', async () => {
    const buyer = await billing.newAccount();
    const setCredit = (limit: number, hold: boolean) =>
      billing.call(admin, 'PUT', `/v1/trade-accounts/${buyer.id}/credit`, { limit: eur(limit), termsDays: 30, hold });
    await setCredit(4280, false);
    const beyond = order(buyer);
    await billing.publish(beyond, beyond);
    await billing.idle();
    expect(published(buyer, 'credit-exceeded')).toEqual([
      { currency: 'EUR', limit: 4280, outstanding: 0, orderRef: beyond.subject, total: 4281, reason: 'limit' },
    ]);
    await setCredit(4281, false);
    await billing.publish(beyond);
    await billing.idle();
    expect(await invoicesOf(buyer)).toEqual([]);
    expect(published(buyer, 'credit-exceeded')).toHaveLength(1);
    await setCredit(1_000_000, true);
    const held = order(buyer);
    await billing.publish(held);
    await billing.idle();
    expect(published(buyer, 'credit-exceeded')).toContainEqual(
      expect.objectContaining({ orderRef: held.subject, reason: 'hold' }),
    );
    await setCredit(1_000_000, false);
    await billing.suspend(buyer.id);
    const closed = order(buyer);
    await billing.publish(closed);
    await billing.idle();
    expect(published(buyer, 'credit-exceeded')).toContainEqual(
      expect.objectContaining({ orderRef: closed.subject, reason: 'hold' }),
    );
    expect(await invoicesOf(buyer)).toEqual([]);
  });

  it.each([
    ['totals-differ', { totals: { tax: eur(649), total: eur(4282) } }],
    ['no-lines', { lines: undefined }],
    ['other-currency', { totals: { total: { amount: 4281, currency: 'USD' } } }],
    ['not-a-trade-account', { tier: 'retail' }],
    [
      'too-many-lines',
      { lines: Array.from({ length: 201 }, () => ({ productId: 'prod_1', quantity: 1, unitPrice: eur(1) })) },
    ],
  ])('is published once and not invoiced where it can have no invoice: %s', async (reason, more) => {
    const buyer = await billing.newAccount();
    const placed = order(buyer, more);
    await billing.publish(placed, placed);
    await billing.idle();
    await billing.publish(placed);
    await billing.idle();
    expect(published(buyer, 'order-not-invoiced')).toEqual([{ orderRef: placed.subject, reason }]);
    expect(await invoicesOf(buyer)).toEqual([]);
  });

  it('waits for the account that it overtook', async () => {
    const buyer: Person = { id: newId('user'), role: 'trade' };
    await billing.publish(order(buyer));
    await eventually(() => billing.lines.some((line) => line.includes(buyer.id)), 'the first try');
    await billing.newAccount({}, buyer.id);
    await eventually(async () => (await invoicesOf(buyer)).length === 1, 'the invoice');
    await billing.idle();
    expect(await invoicesOf(buyer)).toMatchObject([{ total: eur(4281) }]);
  });

  it('has none where it is not on account, or its user was erased', async () => {
    const [buyer, gone] = [await billing.newAccount(), await billing.newAccount()];
    await billing.publish(
      newEvent(identityEvents.userErasureRequested, gone.id, { email: 'a@example.com', role: 'trade' }, 9),
    );
    await eventually(() => billing.eventsOf(gone.id, 'billing.user-data-erased').length === 1, 'the erasure');
    await billing.publish(
      order(buyer, { paymentTerms: 'prepaid' }),
      order(buyer, { paymentTerms: undefined }),
      order(gone),
    );
    await billing.idle();
    expect(await invoicesOf(buyer)).toEqual([]);
    expect(await billing.collection('invoices').countDocuments({ accountId: gone.id })).toBe(0);
    expect(await billing.collection('refused_orders').countDocuments({ accountId: gone.id })).toBe(0);
  });

  it('takes no credit that another one of the same moment took', async () => {
    const buyer = await billing.newAccount();
    await billing.call(admin, 'PUT', `/v1/trade-accounts/${buyer.id}/credit`, {
      limit: eur(5 * 4281),
      termsDays: 30,
      hold: false,
    });
    await billing.publish(...Array.from({ length: 12 }, () => order(buyer)));
    await billing.idle();
    expect(await invoicesOf(buyer)).toHaveLength(5);
    expect(published(buyer, 'credit-exceeded')).toHaveLength(7);
    await assertBooks(billing);
  });
});
