import { newId, ordersEvents } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { startDemoShop, type DemoShop } from './demo-shop.ts';
import { admin, person, type Harness, type Person } from './harness.ts';

let shop: DemoShop;
let billing: Harness;
/** By how much the database's time is ahead. */
let laterMs = 0;
const hourMs = 60 * 60 * 1000;
beforeAll(async () => {
  shop = await startDemoShop({ instances: 2, databaseNow: () => new Date(Date.now() + laterMs) });
  ({ billing } = shop);
});
afterAll(() => shop.close());

const total = 4281;

/** An order, as the order system publishes what it wants of billing. */
function newOrder(who: Person | null = null) {
  const id = newId('ord');
  let sequence = 1;
  return {
    id,
    request(paymentId: string = newId('pay'), returnUrl: string | null = null) {
      const userId = who?.id ?? null;
      const data = { paymentId, userId, method: 'card' as const, currency: 'EUR', amount: total, returnUrl };
      return newEvent(ordersEvents.paymentRequested, id, data, (sequence += 1));
    },
    reduce(keep: number) {
      const charged = { quantities: [1], shipping: true };
      const data = { changeId: newId('och'), lines: [], currency: 'EUR', keep, charged };
      return newEvent(ordersEvents.orderReduced, id, data, (sequence += 1));
    },
    close: () => newEvent(ordersEvents.paymentClosingRequested, id, { reason: 'unpaid' as const }, (sequence += 1)),
    cancel: () =>
      newEvent(
        ordersEvents.orderCancelled,
        id,
        {
          userId: null,
          from: 'closing' as const,
          reason: 'unpaid',
          segment: 'guest' as const,
          currency: 'EUR',
          sold: null,
        },
        (sequence += 1),
      ),
  };
}

const published = (orderId: string, type: string) =>
  billing.eventsOf(orderId, `billing.${type}`).map(({ data }) => data);
const openedPage = (orderId: string, count = 1): Promise<string> =>
  eventually(() => published(orderId, 'payment-opened')[count - 1]?.redirectUrl, 'the page of the order');
/** Waits until the newest sums of the order are these. */
const money = (orderId: string, sums: object) =>
  eventually(
    () => {
      const last = published(orderId, 'order-payment-changed').at(-1);
      return last !== undefined && Object.entries(sums).every(([name, value]) => last[name] === value);
    },
    `the order to have ${JSON.stringify(sums)}`,
  );

describe('an order by card', () => {
  it('is paid on the page of the provider, which leads back to the shop', async () => {
    const buyer = await billing.newAccount();
    const order = newOrder(buyer);
    const paymentId = newId('pay');
    const request = order.request(paymentId, 'https://shop.example/checkout?lang=de');
    await billing.publish(request);
    await openedPage(order.id);
    await billing.publish(request);
    const page = await openedPage(order.id, 2);
    expect(published(order.id, 'payment-opened')).toEqual([
      { paymentId, redirectUrl: page },
      { paymentId, redirectUrl: page },
    ]);
    expect(await (await fetch(page)).text()).toContain(order.id);
    expect(await shownTo(buyer)).toMatchObject([
      { id: paymentId, orderId: order.id, status: 'pending', redirectUrl: null },
    ]);

    const answer = await shop.click(page, { action: 'pay', twice: 'yes' });
    expect(answer.headers.get('location')).toBe(
      `https://shop.example/checkout?lang=de&order=${order.id}&payment=${paymentId}`,
    );
    await money(order.id, { received: total, refunded: 0, state: 'paid' });
    await billing.idle();
    expect(published(order.id, 'order-payment-changed')).toHaveLength(1);
    expect(await shownTo(buyer)).toMatchObject([{ status: 'succeeded', received: eur(total), remainder: eur(0) }]);
    expect((await billing.call(admin, 'GET', `/v1/payments/${paymentId}`)).body.orderId).toBe(order.id);
    // It is no credit of the account.
    expect((await billing.call(buyer, 'GET', '/v1/invoices/credit')).body.credit).toEqual(eur(0));
  });

  it('is paid once: a second payment goes back, on the same page and on another one', async () => {
    const order = newOrder();
    await billing.publish(order.request());
    const page = await openedPage(order.id);
    await shop.click(page, { action: 'fail' });
    await money(order.id, { received: 0, state: 'failed' });
    await billing.publish(order.request());
    const other = await openedPage(order.id, 2);
    expect(await (await shop.click(page, { action: 'pay' })).text()).toContain('closed this payment');
    await shop.click(other, { action: 'pay-twice' });
    await money(order.id, { received: 2 * total, refunded: total, state: 'paid' });
    await billing.idle();
    const back = (await refundsOf(other)).map(({ amount }) => amount);
    expect(back).toEqual([eur(total)]);
  });

  it('has its money counted that came before its page was published', async () => {
    const [order, paymentId] = [newOrder(), newId('pay')];
    const release = billing.holdPublishing('billing.payment-opened');
    await billing.publish(order.request(paymentId));
    await eventually(
      async () => (await billing.collection('payments').countDocuments({ _id: paymentId })) === 1,
      'the payment',
    );
    await shop.provider(`payments/${paymentId}/pay`, eur(total));
    await money(order.id, { received: total, state: 'paid' });
    expect(published(order.id, 'payment-opened')).toEqual([]);
    release();
    await openedPage(order.id);
  });

  it('of a guest is shown to staff alone', async () => {
    const [order, paymentId] = [newOrder(), newId('pay')];
    await billing.publish(order.request(paymentId));
    await openedPage(order.id);
    const path = `/v1/payments/${paymentId}`;
    expect((await billing.call(admin, 'GET', path)).body).toMatchObject({ orderId: order.id, accountId: null });
    expect((await billing.call(person('trade'), 'GET', path)).status).toBe(404);
  });
});

it('an order of a trade account by card has an invoice that is paid, once; it is credited where money goes back', async () => {
  const buyer = await billing.newAccount();
  await billing.call(admin, 'PUT', `/v1/trade-accounts/${buyer.id}/credit`, {
    limit: eur(0),
    termsDays: 30,
    hold: true,
  });
  const [order, paymentId] = [newOrder(buyer), newId('pay')];
  await billing.publish(order.request(paymentId));
  await shop.click(await openedPage(order.id), { action: 'pay' });
  await money(order.id, { received: total });
  const placed = (orderId: string) =>
    newEvent(ordersEvents.orderPlaced, orderId, {
      orderId,
      userId: buyer.id,
      recipient: { firstName: 'Ada', lastName: 'Lovelace' },
      placedAt: new Date().toISOString(),
      tier: 'trade',
      paymentTerms: 'prepaid',
      lines: [
        { productId: 'prod_1', quantity: 3, unitPrice: eur(1099), taxRate: 19, tax: eur(626) },
        { productId: 'prod_2', quantity: 1, unitPrice: eur(335), taxRate: 7, tax: eur(23) },
      ],
      totals: { tax: eur(649), total: eur(total) },
    });
  const event = placed(order.id);
  // An order system outside has its own way of being paid.
  await billing.publish(event, placed(newId('evt')), event);
  const invoice = await eventually(
    async () => (await billing.call(buyer, 'GET', '/v1/invoices')).body.data[0],
    'the invoice',
  );
  await billing.idle();
  expect((await billing.call(buyer, 'GET', '/v1/invoices')).body.data).toHaveLength(1);
  expect(invoice).toMatchObject({
    status: 'paid',
    orderRef: order.id,
    total: eur(total),
    balance: eur(0),
    payments: [{ paymentId, amount: eur(total) }],
  });
  const [issued] = billing.eventsOf(invoice.id, 'billing.invoice-issued');
  expect(issued?.data).toMatchObject({ balance: 0, document: { isPrepaid: true } });
  expect(billing.eventsOf(invoice.id, 'billing.invoice-paid')).toHaveLength(1);

  // A piece of the second line is refunded. Before its invoice has followed, staff credit one of the first, which goes back too.
  const charged = { quantities: [3, 0], shipping: true };
  const part = { changeId: newId('och'), lines: [], currency: 'EUR', keep: 3923, charged };
  const reduced = { keep: part.keep, due: part.keep, charged };
  await billing.collection('order_payments').updateOne({ _id: order.id }, { $set: reduced });
  const path = `/v1/invoices/${invoice.id}`;
  const note = { lines: [{ line: 0, quantity: 1 }], reason: 'Damaged' };
  expect((await billing.call(admin, 'POST', `${path}/credit-notes`, note)).body.total).toEqual(eur(1307));
  await billing.publish(newEvent(ordersEvents.orderReduced, order.id, part, 8));
  await money(order.id, { refunded: 1665 });
  await billing.idle();
  const notes = (await billing.call(buyer, 'GET', path)).body.creditNotes;
  expect(notes.map((each: { total: object }) => each.total)).toEqual([eur(358), eur(1307)]);
  await billing.publish(order.cancel());
  await money(order.id, { refunded: total, state: 'refunded' });
  await billing.idle();
  expect((await billing.call(buyer, 'GET', path)).body).toMatchObject({
    status: 'paid',
    credited: eur(total),
    amountPaid: eur(0),
    payments: [],
  });
  expect((await billing.call(buyer, 'GET', '/v1/invoices/credit')).body).toMatchObject({
    outstanding: eur(0),
    credit: eur(0),
  });
  await assertBooks(billing);
});

describe('an order of which a part is refunded', () => {
  it('has no more back than came: an answer is lost for 25 hours, and meanwhile staff refund and the bank takes some at the provider', async () => {
    const [order, paymentId] = [newOrder(), newId('pay')];
    await billing.publish(order.request(paymentId));
    const page = await openedPage(order.id);
    await shop.click(page, { action: 'pay' });
    await money(order.id, { received: total, state: 'paid' });

    const answerAgain = shop.loseAnswersFromRefund();
    const reduction = order.reduce(total - 2000);
    await billing.publish(reduction, reduction);
    await eventually(async () => (await refundsOf(page)).length === 1, 'the refund that is not answered');
    await billing.stop();
    answerAgain();
    await shop.provider(`payments/${paymentId}/refund`, eur(500));
    await shop.provider(`payments/${paymentId}/dispute`, eur(300));
    laterMs = 25 * hourMs;
    await billing.another();
    await billing.another();
    await money(order.id, { received: total, refunded: 2500, disputed: 300 });
    await eventually(
      async () =>
        (await billing.collection('order_payments').findOne({ _id: order.id }))?.refunds.every(
          ({ state }: { state: string }) => state === 'done',
        ),
      'the refund to be known as done',
    );

    await billing.publish(order.cancel());
    await money(order.id, { received: total, refunded: total - 300, disputed: 300 });
    await billing.idle();
    const back = (await refundsOf(page)).map(({ amount }) => amount);
    expect(back).toEqual([eur(2000), eur(500), eur(total - 2800)]);
  });
});

describe('an order that is not paid any more', () => {
  it('is closed once the provider is back, by whichever instance, and its money goes back when it is cancelled', async () => {
    const order = newOrder();
    await billing.publish(order.request());
    const page = await openedPage(order.id);
    await shop.click(page, { action: 'part', amount: '10.00' });
    await money(order.id, { received: 1000, state: 'open' });
    const startProvider = await shop.stopProvider();
    await billing.publish(order.close());
    await eventually(
      () => billing.lines.some((line) => line.includes(order.id) && line.includes('gave no answer')),
      'the call in vain',
    );
    expect(published(order.id, 'payment-closed')).toEqual([]);
    await billing.stop();
    await startProvider();
    await billing.another();
    await billing.another();
    await eventually(() => published(order.id, 'payment-closed').length === 1, 'the page to be closed');
    expect(published(order.id, 'payment-closed')).toEqual([{ currency: 'EUR', received: 1000, refunded: 0 }]);
    expect((await shop.click(page, { action: 'pay' })).status).toBe(422);
    await billing.publish(order.cancel());
    await money(order.id, { received: 1000, refunded: 1000, state: 'refunded' });
  });

  it('has money refunded that comes after it was cancelled', async () => {
    const order = newOrder();
    await billing.publish(order.request());
    const page = await openedPage(order.id);
    await shop.click(page, { action: 'pay', late: '1' });
    await billing.publish(order.close(), order.cancel());
    await eventually(() => published(order.id, 'payment-closed').length === 1, 'the page to be closed');
    expect(published(order.id, 'payment-closed')).toEqual([{ currency: 'EUR', received: 0, refunded: 0 }]);
    await money(order.id, { received: total, refunded: total, state: 'refunded' });
    const payments = await billing.collection('payments').find({ orderId: order.id }).toArray();
    expect(payments).toMatchObject([{ status: 'refunded', received: 0, refunded: total, remainder: 0 }]);
  });

  it('opens no page, whether it was closed or cancelled before it was to be paid', async () => {
    const [closed, cancelled] = [newOrder(), newOrder()];
    await billing.publish(closed.close(), cancelled.cancel());
    await eventually(() => published(closed.id, 'payment-closed').length === 1, 'the answer');
    await eventually(
      async () => (await billing.collection('order_payments').countDocuments({ _id: cancelled.id })) === 1,
      'the record of the cancelled order',
    );
    await billing.publish(closed.request(), cancelled.request());
    await billing.idle();
    for (const { id } of [closed, cancelled]) {
      expect(published(id, 'payment-opened')).toEqual([]);
      expect(await billing.collection('payments').countDocuments({ orderId: id })).toBe(0);
    }
  });
});

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const shownTo = async (who: Person) => (await billing.call(who, 'GET', '/v1/payments')).body.data;

/** What the provider has said of refunds on this page. */
async function refundsOf(page: string): Promise<{ amount: object }[]> {
  const [, paymentId = ''] = /\/pay\/(\w+)\?/.exec(page) ?? [];
  const { callbacks } = await shop.provider(`callbacks?payment=${paymentId}`);
  return callbacks
    .map(({ body }: { body: string }) => JSON.parse(body))
    .filter(({ type }: { type: string }) => type === 'payment.refunded')
    .map(({ data }: { data: { amount: object } }) => data);
}
