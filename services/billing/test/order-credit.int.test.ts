import { identityEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { admin, startBilling, type Harness, type Person } from './harness.ts';
import { receiveMoney } from './money.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ instances: 2 });
});
afterAll(() => billing.close());

// Two rates, and a discount on the first line: 36.90 at 19 % and 3.35 at 7 %.
const total = 4749;
const eur = (amount: number) => ({ amount, currency: 'EUR' });

interface Wanted {
  readonly amount?: number;
  /** The buyer owes the tax. */
  readonly reverseCharge?: boolean;
}

/** An order on account, as the order system publishes what becomes of it. */
function newOrder(who: Person, { reverseCharge = false, amount = reverseCharge ? 4025 : total }: Wanted = {}) {
  const [id, paymentId] = [newId('ord'), newId('pay')];
  const data = { userId: who.id, method: 'invoice' as const, currency: 'EUR', amount, returnUrl: null };
  const taxed = (taxRate: number, tax: number) =>
    reverseCharge ? { taxRate: 0, tax: eur(0) } : { taxRate, tax: eur(tax) };
  return {
    id,
    paymentId,
    request: newEvent(ordersEvents.paymentRequested, id, { ...data, paymentId }, 2),
    placed: newEvent(ordersEvents.orderPlaced, id, {
      orderId: id,
      userId: who.id,
      recipient: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        address: { homeAddress: 'Torstraße 6', state: null, city: 'Berlin', country: reverseCharge ? 'NL' : 'DE' },
      },
      placedAt: new Date().toISOString(),
      tier: 'trade',
      paymentTerms: 'invoice',
      lines: [
        { productId: 'prod_1', quantity: 3, unitPrice: eur(1099), discount: eur(97), ...taxed(19, 608) },
        { productId: 'prod_2', quantity: 1, unitPrice: eur(335), discount: eur(0), ...taxed(7, 23) },
      ],
      shipping: { discount: eur(0), ...taxed(19, 93) },
      reverseCharge,
      totals: { discount: eur(97), shipping: eur(490), tax: eur(reverseCharge ? 0 : 724), total: eur(amount) },
    }),
    /** So many pieces of each line are still charged, and shipping or not. */
    reduced: (keep: number, quantities: number[], shipping = true) =>
      newEvent(
        ordersEvents.orderReduced,
        id,
        { changeId: newId('och'), lines: [], currency: 'EUR', keep, charged: { quantities, shipping } },
        4,
      ),
    cancelled: newEvent(
      ordersEvents.orderCancelled,
      id,
      { userId: who.id, from: 'placed', reason: 'buyer', segment: 'trade', currency: 'EUR', sold: null },
      5,
    ),
  };
}
type Order = ReturnType<typeof newOrder>;

const answersTo = ({ id, paymentId }: Order) =>
  billing
    .eventsOf(id)
    .filter(({ type }) => type.startsWith('billing.credit-re'))
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
/** What went back of an order, as billing tells the order system. */
const refundedOf = ({ id }: Order) =>
  billing.eventsOf(id, 'billing.order-payment-changed').map(({ data }) => data.refunded);
const owes = (who: Person, amount: number) =>
  eventually(async () => {
    const { outstanding, reserved: waiting } = (await accountOf(who)) ?? {};
    return outstanding === amount && waiting === 0;
  }, `the account to owe ${amount}`);
const accountOf = (who: Person) => billing.collection('accounts').findOne({ _id: who.id });
const invoicesOf = (who: Person) => billing.collection('invoices').find({ accountId: who.id }).toArray();
const setLimit = (who: Person, limit: number, hold = false) =>
  billing.call(admin, 'PUT', `/v1/trade-accounts/${who.id}/credit`, { limit: eur(limit), termsDays: 30, hold });

it('takes the credit of the account, so that no other order gets it, and says so again when it is asked again', async () => {
  const buyer = await billing.newAccount();
  await setLimit(buyer, 10_000);
  const [one, other] = [newOrder(buyer), newOrder(buyer, { amount: 5252 })];
  await billing.publish(one.request);
  await answered(one);
  await billing.publish(one.request, other.request);
  await answered(one, 2);
  await answered(other);
  expect(answersTo(one)).toMatchObject([reserved, reserved]);
  expect(answersTo(other)).toMatchObject([refused('limit', 5251)]);
  expect((await billing.call(buyer, 'GET', '/v1/invoices/credit')).body).toMatchObject({
    outstanding: eur(0),
    reserved: eur(total),
    available: eur(5251),
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

it.each([
  [
    'with two rates',
    { reverseCharge: false },
    {
      taxTreatment: 'domestic',
      lines: [
        { quantity: 3, unitPrice: 1099, discount: 97, taxRate: 19, net: 3200 },
        { taxRate: 7, net: 335 },
        { description: 'Shipping', taxRate: 19, net: 490 },
      ],
      taxes: [
        { rate: 19, base: 3690, amount: 701 },
        { rate: 7, base: 335, amount: 23 },
      ],
      total,
    },
    3479,
  ],
  [
    'under reverse charge',
    { reverseCharge: true },
    { taxTreatment: 'reverse-charge', reverseCharge: true, taxes: [{ rate: 0, base: 4025, amount: 0 }], total: 4025 },
    2958,
  ],
])(
  'becomes one invoice %s, though the limit was lowered, the account suspended and its user erased since; and is credited',
  async (_how, wanted, invoice, keep) => {
    const buyer = await billing.newAccount();
    const order = newOrder(buyer, wanted);
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
    expect(await invoicesOf(buyer)).toMatchObject([{ orderRef: order.id, ...invoice, balance: invoice.total }]);
    expect(await accountOf(buyer)).toMatchObject({ outstanding: invoice.total, reserved: 0 });

    // One of three pieces.
    const part = order.reduced(keep, [2, 1]);
    await billing.publish(part, part);
    await owes(buyer, keep);
    await billing.publish(order.cancelled, order.cancelled);
    await owes(buyer, 0);
    await billing.idle();
    const [{ creditNotes }] = (await invoicesOf(buyer)) as any;
    expect(creditNotes).toMatchObject([
      { lines: [{ quantity: 1, discount: 32, net: 1067 }], total: invoice.total - keep },
      { lines: [{ quantity: 2 }, { quantity: 1 }, { description: 'Shipping' }], total: keep },
    ]);
    await assertBooks(billing);
  },
);

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
  expect(refundedOf(order)).toEqual([]);
});

/** Takes an order to its invoice. */
async function invoiced(buyer: Person): Promise<{ order: Order; invoiceId: string }> {
  const order = newOrder(buyer);
  await billing.publish(order.request);
  await answered(order);
  await billing.publish(order.placed);
  const invoiceId = await eventually(async () => (await invoicesOf(buyer))[0]?._id as unknown as string, 'the invoice');
  return { order, invoiceId };
}

it('is credited in parts: pieces, shipping and amounts, whatever the order of the events', async () => {
  const buyer = await billing.newAccount();
  const { order } = await invoiced(buyer);
  // 12.70 for a piece and 5.83 for shipping; then 10.00 besides. The later event comes first.
  await billing.publish(order.reduced(1896, [2, 1], false));
  await owes(buyer, 1896);
  await billing.publish(order.reduced(2896, [2, 1], false), order.reduced(3479, [2, 1]));
  await billing.idle();
  const [{ creditNotes }] = (await invoicesOf(buyer)) as any;
  expect(creditNotes).toHaveLength(1);
  expect(creditNotes[0].lines.map(({ description, net }: any) => [description, net])).toEqual([
    ['prod_1', 1067],
    ['Shipping', 490],
    ['Price reduction', 736],
    ['Price reduction', 116],
  ]);
  expect(refundedOf(order)).toEqual([2853]);
  expect(billing.eventsOf(creditNotes[0].id)).toEqual([]);
  await assertBooks(billing);
});

it('that was paid before is credit of its account when it is cancelled', async () => {
  const buyer = await billing.newAccount();
  const { order, invoiceId } = await invoiced(buyer);
  await receiveMoney(billing, buyer.id, total, [invoiceId]);
  await billing.publish(order.cancelled);
  await eventually(async () => (await accountOf(buyer))?.['unused'] === total, 'the credit of the account');
  expect(await accountOf(buyer)).toMatchObject({ outstanding: 0, reserved: 0 });
  await assertBooks(billing);
});

it('counts what staff have credited or voided as refunded, and does not credit it again', async () => {
  const [buyer, other] = [await billing.newAccount(), await billing.newAccount()];
  const [{ order, invoiceId }, mistaken] = [await invoiced(buyer), await invoiced(other)];
  const note = { lines: [{ line: 0, quantity: 1 }], reason: 'Damaged' };
  expect((await billing.call(admin, 'POST', `/v1/invoices/${invoiceId}/credit-notes`, note)).status).toBe(201);
  // The order system records the same piece, and then shipping.
  await billing.publish(order.reduced(3479, [2, 1]));
  await billing.publish(order.reduced(2896, [2, 1], false));
  await owes(buyer, 2896);
  await billing.idle();
  expect(refundedOf(order)).toEqual([1270, 1853]);
  expect(billing.eventsOf(invoiceId, 'billing.credit-note-issued').map(({ data }) => data.orderRef)).toEqual([
    order.id,
    order.id,
  ]);
  expect((await billing.call(admin, 'POST', `/v1/invoices/${mistaken.invoiceId}/void`, {})).status).toBe(200);
  await billing.publish(mistaken.order.cancelled);
  await billing.idle();
  expect(refundedOf(mistaken.order)).toEqual([total]);
  expect(billing.eventsOf(mistaken.order.id, 'billing.order-payment-changed').at(-1)?.data.state).toBe('refunded');
  expect(billing.eventsOf(mistaken.invoiceId, 'billing.invoice-voided')[0]?.data.orderRef).toBe(mistaken.order.id);
  expect(await invoicesOf(other)).toMatchObject([{ status: 'void', creditNotes: [] }]);
  await assertBooks(billing);
});

it('ends without credit, and with what is kept invoiced, where all of it comes at once, to two instances', async () => {
  const [buyer, keeper] = [await billing.newAccount(), await billing.newAccount()];
  const ended = Array.from({ length: 5 }, () => newOrder(buyer));
  const kept = Array.from({ length: 5 }, () => newOrder(keeper));
  await billing.publish(...[...ended, ...kept].map(({ request }) => request));
  for (const order of [...ended, ...kept]) await answered(order);
  await billing.publish(
    ...ended.flatMap(({ placed, reduced, cancelled }, index) =>
      index % 2 === 0 ? [cancelled, reduced(3479, [2, 1]), placed] : [placed, cancelled, reduced(3479, [2, 1])],
    ),
    ...kept.flatMap(({ placed, reduced }, index) => {
      const part = reduced(3479, [2, 1]);
      return index % 2 === 0 ? [part, placed] : [placed, part];
    }),
  );
  await owes(keeper, 5 * 3479);
  await owes(buyer, 0);
  await billing.idle();
  await owes(keeper, 5 * 3479);
  await owes(buyer, 0);
  for (const { status, total: invoicedTotal, credited } of await invoicesOf(buyer))
    expect([status, credited]).toEqual(['paid', invoicedTotal]);
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
