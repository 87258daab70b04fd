import { newId, ordersEvents } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoShop, type DemoShop } from './demo-shop.ts';
import { admin, person, type Harness, type Person } from './harness.ts';

let shop: DemoShop;
let billing: Harness;
beforeAll(async () => {
  shop = await startDemoShop({ instances: 2 });
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
      { id: paymentId, orderId: order.id, status: 'pending', redirectUrl: page },
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
