import { identityEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { admin, startBilling, type Harness, type Person } from './harness.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ instances: 2 });
});
afterAll(() => billing.close());

const total = 4281;
const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** An order on account, as the order system publishes what becomes of it. */
function newOrder(who: Person, amount = total) {
  const [id, paymentId] = [newId('ord'), newId('pay')];
  const data = { userId: who.id, method: 'invoice' as const, currency: 'EUR', amount, returnUrl: null };
  return {
    id,
    paymentId,
    request: newEvent(ordersEvents.paymentRequested, id, { ...data, paymentId }, 2),
    placed: newEvent(ordersEvents.orderPlaced, id, {
      orderId: id,
      userId: who.id,
      recipient: { firstName: 'Ada', lastName: 'Lovelace' },
      placedAt: new Date().toISOString(),
      tier: 'trade',
      paymentTerms: 'invoice',
      lines: [
        { productId: 'prod_1', quantity: 3, unitPrice: eur(1099) },
        { productId: 'prod_2', quantity: 1, unitPrice: eur(335), taxRate: 7 },
      ],
      totals: { tax: eur(649), total: eur(total) },
    }),
    cancelled: newEvent(
      ordersEvents.orderCancelled,
      id,
      { userId: who.id, from: 'placed', reason: 'buyer', segment: 'guest', currency: 'EUR', sold: null },
      3,
    ),
  };
}
type Order = ReturnType<typeof newOrder>;

const answersTo = ({ id, paymentId }: Order) =>
  billing
    .eventsOf(id)
    .filter(({ source }) => source === 'billing')
    .map(({ type, data }) => {
      expect(data.paymentId).toBe(paymentId);
      return { type, data };
    });
const answered = (order: Order, count = 1) =>
  eventually(() => answersTo(order).length === count, 'the answer about the credit');
const reserved = { type: 'billing.credit-reserved' };
const refused = (reason: string, available: number) => ({
  type: 'billing.credit-refused',
  data: { reason, available },
});
const accountOf = (who: Person) => billing.collection('accounts').findOne({ _id: who.id });
const invoicesOf = (who: Person) => billing.collection('invoices').find({ accountId: who.id }).toArray();
const setLimit = (who: Person, limit: number, hold = false) =>
  billing.call(admin, 'PUT', `/v1/trade-accounts/${who.id}/credit`, { limit: eur(limit), termsDays: 30, hold });

it('takes the credit of the account, so that no other order gets it, and says so again when it is asked again', async () => {
  const buyer = await billing.newAccount();
  await setLimit(buyer, 10_000);
  const [one, other] = [newOrder(buyer), newOrder(buyer, 5720)];
  await billing.publish(one.request);
  await answered(one);
  await billing.publish(one.request, other.request);
  await answered(one, 2);
  await answered(other);
  expect(answersTo(one)).toMatchObject([reserved, reserved]);
  expect(answersTo(other)).toMatchObject([refused('limit', 5719)]);
  expect((await billing.call(buyer, 'GET', '/v1/invoices/credit')).body).toMatchObject({
    outstanding: eur(0),
    reserved: eur(total),
    available: eur(5719),
  });
});

it('is refused on hold, where the account is closed, and where there is none', async () => {
  const [held, closed] = [await billing.newAccount(), await billing.newAccount()];
  await setLimit(held, 10_000, true);
  await billing.suspend(closed.id);
  const unknown: Person = { id: newId('user'), role: 'trade' };
  for (const [who, answer] of [
    [held, refused('hold', 10_000)],
    [closed, refused('closed', 500_000)],
    [unknown, refused('closed', 0)],
  ] as const) {
    const order = newOrder(who);
    await billing.publish(order.request);
    await answered(order);
    expect(answersTo(order)).toMatchObject([answer]);
  }
});

it('becomes one invoice, though the limit was lowered, the account suspended and its user erased since', async () => {
  const buyer = await billing.newAccount();
  const order = newOrder(buyer);
  await billing.publish(order.request);
  await answered(order);
  await setLimit(buyer, 0, true);
  await billing.suspend(buyer.id);
  const erasure = { email: 'a@example.com', role: 'trade' as const };
  await billing.publish(newEvent(identityEvents.userErasureRequested, buyer.id, erasure, 9));
  await eventually(() => billing.eventsOf(buyer.id, 'billing.user-data-erased').length === 1, 'the erasure');
  await billing.publish(order.placed, order.placed);
  await eventually(async () => (await invoicesOf(buyer)).length > 0, 'the invoice');
  await billing.idle();
  expect(await invoicesOf(buyer)).toMatchObject([{ orderRef: order.id, total, balance: total }]);
  expect(await accountOf(buyer)).toMatchObject({ outstanding: total, reserved: 0 });
  await assertBooks(billing);
});

it('is given back where the order is cancelled, and the order has no invoice then', async () => {
  const buyer = await billing.newAccount();
  const order = newOrder(buyer);
  await billing.publish(order.request);
  await answered(order);
  await billing.publish(order.cancelled, order.cancelled);
  await eventually(async () => (await accountOf(buyer))?.['reserved'] === 0, 'the credit');
  await billing.publish(order.placed, order.request);
  await billing.idle();
  expect(await invoicesOf(buyer)).toEqual([]);
  expect(await accountOf(buyer)).toMatchObject({ outstanding: 0, reserved: 0 });
  expect(answersTo(order)).toMatchObject([reserved]);
});

it('stays an invoice where the order is cancelled after it was placed', async () => {
  const buyer = await billing.newAccount();
  const order = newOrder(buyer);
  await billing.publish(order.request);
  await answered(order);
  await billing.publish(order.placed);
  await eventually(async () => (await invoicesOf(buyer)).length === 1, 'the invoice');
  await billing.publish(order.cancelled);
  await billing.idle();
  expect(await accountOf(buyer)).toMatchObject({ outstanding: total, reserved: 0 });
});

it('is one or the other where both come at once, to two instances', async () => {
  const buyer = await billing.newAccount();
  const orders = Array.from({ length: 5 }, () => newOrder(buyer));
  await billing.publish(...orders.map(({ request }) => request));
  for (const order of orders) await answered(order);
  await billing.publish(...orders.flatMap(({ placed, cancelled }) => [placed, cancelled]));
  await eventually(async () => (await accountOf(buyer))?.['reserved'] === 0, 'no credit to be reserved any more');
  await billing.idle();
  const invoices = await invoicesOf(buyer);
  expect(await accountOf(buyer)).toMatchObject({ outstanding: invoices.length * total, reserved: 0 });
  await assertBooks(billing);
});

it('does not keep the account of an erased user longer than the order needs it', async () => {
  const buyer = await billing.newAccount();
  const order = newOrder(buyer);
  await billing.publish(order.request);
  await answered(order);
  const erasure = { email: 'a@example.com', role: 'trade' as const };
  await billing.publish(newEvent(identityEvents.userErasureRequested, buyer.id, erasure, 9));
  await eventually(() => billing.eventsOf(buyer.id, 'billing.user-data-erased').length === 1, 'the erasure');
  expect(await accountOf(buyer)).toMatchObject({ reserved: total });
  await billing.publish(order.cancelled);
  await eventually(async () => (await accountOf(buyer)) === null, 'the account to be gone');
});
