import {
  accountEvents,
  billingEvents,
  engagementEvents,
  identityEvents,
  newId,
  ordersEvents,
  queues,
  toEvent,
  type EventContract,
  type EventOf,
} from '@storefront/contracts';
import { newEvent } from '@storefront/testing';
import { describe, expect, it } from 'vitest';
import { countsOf, draftOf, kinds, lastMomentOf, laterCountsOf, setsOf } from './kinds.ts';
import { countsLater } from '../../store/facts.ts';

const time = '2026-11-23T12:00:00.000Z';

function factOf<Contract extends EventContract>(
  contract: Contract,
  subject: string,
  data: EventOf<Contract>['data'],
  sequence = 1,
) {
  const stated = { type: contract.type, source: contract.source, dataschema: '', subject, data };
  const fact = draftOf(toEvent(stated, { sequence, time: new Date(time) }));
  if (!fact) return null;
  expect(kinds[fact.kind].data.parse(fact.data)).toEqual(fact.data);
  const { by, ...rest } = fact;
  const counted = { id: newId('evt'), ...rest, person: by && 7 };
  const more = { later: laterCountsOf(counted), last: lastMomentOf(counted) };
  return { ...fact, counts: countsOf(counted), sets: setsOf(counted), ...more };
}

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const user = newId('user');
const named = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

describe('kinds of facts', () => {
  it('read every event of their queue that counts', () => {
    const { engagement } = queues;
    const read = new Set(
      Object.values(kinds).flatMap(({ events = [] }) => events.map(({ contract }) => contract.type)),
    );
    const unread = engagement.onFactPublished.contracts.filter(({ type }) => !read.has(type));
    expect(unread).toEqual([engagementEvents.factsHeartbeat]);
    expect(draftOf(newEvent(identityEvents.loginThrottled, user, { ...named, failures: 5 }))).toBeNull();
  });

  it('count later only where a rebuild looks for it', () => {
    const later = Object.entries(kinds).filter(([, kind]) => kind.laterCountsOf !== undefined);
    expect(later.map(([name]) => name)).toEqual([countsLater]);
  });
});

describe('an order', () => {
  const order = {
    orderId: 'order-1',
    userId: user,
    recipient: { firstName: 'Ada', lastName: 'Lovelace' },
    placedAt: '2026-11-20T08:00:00.000Z',
    tier: 'trade' as const,
  };
  const line = (productId: string, quantity: number, price: number) => ({
    productId,
    quantity,
    unitPrice: euros(price),
  });

  it('counts once, and for each of its products, when it was placed', () => {
    const fact = factOf(ordersEvents.orderPlaced, 'order-1', {
      ...order,
      totals: {
        subtotal: euros(3500),
        discount: euros(500),
        shipping: euros(400),
        tax: euros(600),
        total: euros(4000),
      },
      lines: [line('mug', 2, 1000), line('tea', 1, 500), line('mug', 1, 1000)],
    });
    expect(fact).toMatchObject({ at: new Date(order.placedAt), segment: 'trade', by: { userId: user } });
    expect(JSON.stringify(fact?.data)).not.toContain('Ada');
    expect(fact?.counts).toEqual([
      {
        family: 'sales',
        of: 'EUR',
        measures: { orders: 1, units: 4, gross: 3500, discount: 500, net: 3000, known: 1 },
      },
      { family: 'orders', of: 'EUR', measures: { placed: 1, unitsPlaced: 4, placedValue: 4000 } },
      { family: 'productSales', of: 'mug EUR', measures: { units: 3, revenue: 3000 } },
      { family: 'variantSales', of: 'mug none EUR', measures: { units: 3, revenue: 3000 } },
      { family: 'productSales', of: 'tea EUR', measures: { units: 1, revenue: 500 } },
      { family: 'variantSales', of: 'tea none EUR', measures: { units: 1, revenue: 500 } },
    ]);
    expect(fact?.sets).toEqual([{ set: 'active', of: '' }]);
  });

  it('counts what was sold of each variant, for it and for the product', () => {
    const sold = [
      { ...line('mug', 2, 1000), variantId: 'blue' },
      { ...line('mug', 1, 900), variantId: 'red' },
    ];
    const lines = [...sold, ...sold, line('mug', 1, 1000)];
    const fact = factOf(ordersEvents.orderPlaced, 'order-1', { ...order, lines });
    expect(fact?.data).toMatchObject({
      lines: [
        { productId: 'mug', variantId: 'blue', units: 4, revenue: 4000 },
        { productId: 'mug', variantId: 'red', units: 2, revenue: 1800 },
        { productId: 'mug', units: 1, revenue: 1000 },
      ],
    });
    expect(fact?.counts.slice(2).map(({ of, measures }) => [of, measures])).toEqual([
      ['mug EUR', { units: 4, revenue: 4000 }],
      ['mug blue EUR', { units: 4, revenue: 4000 }],
      ['mug EUR', { units: 2, revenue: 1800 }],
      ['mug red EUR', { units: 2, revenue: 1800 }],
      ['mug EUR', { units: 1, revenue: 1000 }],
      ['mug none EUR', { units: 1, revenue: 1000 }],
    ]);
  });

  it('is worth its lines without totals, its total without lines, and nothing without any money', () => {
    const sales = (more: object) => factOf(ordersEvents.orderPlaced, 'order-1', { ...order, ...more })?.counts[0];
    expect(sales({ lines: [line('mug', 2, 1000)] })?.measures).toMatchObject({ gross: 2000, discount: 0, net: 2000 });
    expect(sales({ totals: { total: euros(700) } })?.measures).toMatchObject({ units: 0, gross: 700, net: 700 });
    expect(sales({})).toBeUndefined();
  });
});

describe('an order of the orders service', () => {
  const goods = {
    subtotal: 3500,
    discount: 500,
    total: 4000,
    lines: [
      { productId: 'mug', variantId: 'blue', quantity: 2, unitPrice: 1000 },
      { productId: 'tea', variantId: 'tin', quantity: 3, unitPrice: 500 },
    ],
  };
  const guests = { userId: null, segment: 'guest' as const, currency: 'EUR' };

  it('of a guest counts as a sale of nobody', () => {
    const fact = factOf(ordersEvents.guestOrderPlaced, 'ord_1', {
      orderId: 'ord_1',
      recipient: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      placedAt: '2026-11-20T08:00:00.000Z',
      tier: 'retail',
      totals: { total: euros(700) },
    });
    expect(fact).toMatchObject({
      kind: 'order-placed',
      at: new Date('2026-11-20T08:00:00.000Z'),
      segment: 'guest',
      by: null,
      sets: [],
      counts: [
        { family: 'sales', measures: { orders: 1, net: 700 } },
        { family: 'orders', measures: { placed: 1, placedValue: 700 } },
      ],
    });
    expect(fact?.counts[0]?.measures).not.toHaveProperty('known');
    expect(JSON.stringify(fact?.data)).not.toContain('ada');
  });

  it('is taken back when it is cancelled: all that its placement has counted', () => {
    const cancelled = factOf(ordersEvents.orderCancelled, 'ord_1', {
      userId: user,
      segment: 'trade',
      currency: 'EUR',
      from: 'placed',
      reason: 'cancelled',
      sold: goods,
    });
    expect(cancelled).toMatchObject({ at: new Date(time), segment: 'trade', by: { userId: user }, sets: [] });
    expect(cancelled?.counts).toEqual([
      {
        family: 'sales',
        of: 'EUR',
        measures: { orders: -1, units: -5, gross: -3500, discount: -500, net: -3000 },
      },
      { family: 'orders', of: 'EUR', measures: { cancelled: 1, cancelledValue: 4000 } },
      { family: 'productSales', of: 'mug EUR', measures: { units: -2, revenue: -2000 } },
      { family: 'variantSales', of: 'mug blue EUR', measures: { units: -2, revenue: -2000 } },
      { family: 'productSales', of: 'tea EUR', measures: { units: -3, revenue: -1500 } },
      { family: 'variantSales', of: 'tea tin EUR', measures: { units: -3, revenue: -1500 } },
    ]);
  });

  it('that was never placed is given up, with its reason', () => {
    const data = { ...guests, from: 'pending' as const, reason: 'out_of_stock', sold: null };
    const givenUp = factOf(ordersEvents.orderCancelled, 'ord_1', data);
    expect(givenUp?.counts).toEqual([{ family: 'orders', of: 'EUR', measures: { givenUp: 1 } }]);
    expect(givenUp?.data).toMatchObject({ reason: 'out_of_stock' });
  });

  it('is a step of its buyer when it is shipped and when it arrives', () => {
    const buyer = { userId: user, segment: 'retail' as const };
    const step = { at: new Date(time), segment: 'retail', by: { userId: user }, data: {}, counts: [], sets: [] };
    const shipment = { shipmentId: newId('shpm'), lines: [], ...buyer };
    expect(factOf(ordersEvents.orderShipped, 'ord_1', shipment)).toMatchObject({ kind: 'order-shipped', ...step });
    expect(factOf(ordersEvents.orderDelivered, 'ord_1', buyer)).toMatchObject({ kind: 'order-delivered', ...step });
  });

  it('counts what went back of its money, and less where a refund has failed', () => {
    const refunded = (amount: number) => factOf(ordersEvents.orderRefunded, 'ord_1', { ...guests, amount })?.counts;
    const counts = (amount: number) => [{ family: 'orders', of: 'EUR', measures: { refunded: amount } }];
    expect([refunded(900), refunded(-200)]).toEqual([counts(900), counts(-200)]);
  });

  it('counts the pieces that have come back, also those that nobody can buy again', () => {
    const line = { productId: 'mug', variantId: 'blue' };
    const lines = [
      { ...line, lineId: '1', quantity: 2 },
      { ...line, lineId: '2', quantity: 1 },
    ];
    const returned = { ...guests, returnId: newId('ret'), lines, restocked: false };
    expect(factOf(ordersEvents.orderReturned, 'ord_1', returned)).toMatchObject({
      segment: 'guest',
      by: null,
      counts: [{ family: 'orders', of: 'EUR', measures: { unitsReturned: 3 } }],
    });
  });
});

it('what a user does with a cart and an order is a fact as that of a page of the shop', () => {
  const shopper = { userId: user, tier: 'trade' as const };
  const active = { at: new Date(time), segment: 'trade', by: { userId: user }, counts: [], sets: [{ set: 'active' }] };
  expect(factOf(ordersEvents.cartUpdated, 'cart', shopper)).toMatchObject({
    ...active,
    kind: 'cart-updated',
    sets: [{ set: 'active' }, { set: 'carted' }],
  });
  expect(factOf(ordersEvents.checkoutStarted, 'ord_1', shopper)).toMatchObject({ kind: 'checkout-started', ...active });
});

describe('a registration', () => {
  const code = { sealedCode: 'x', codeExpiresAt: time, registeredAt: time };
  const business = { ...named, ...code, businessName: 'Mills', codeOnly: false, appliesAgain: false };

  it('begins once, however often its code is sent, and again for nobody who applies once more', () => {
    const begun = { kind: 'registration-begun', by: null, counts: [{ measures: { begun: 1 } }] };
    expect(factOf(identityEvents.userRegistered, 'reg', { ...named, ...code })).toMatchObject({
      ...begun,
      segment: 'retail',
    });
    expect(factOf(identityEvents.userRegistered, 'reg', { ...named, ...code }, 2)).toBeNull();
    expect(factOf(identityEvents.tradeAccountRegistered, 'reg', business)).toMatchObject({
      ...begun,
      segment: 'trade',
    });
    expect(factOf(identityEvents.tradeAccountRegistered, 'reg', { ...business, appliesAgain: true })).toBeNull();
  });

  it('is decided after so many hours', () => {
    const business = { name: 'Mills', address: 'Mill Lane 1', vatNumber: null, country: 'GB' };
    const submittedAt = '2026-11-22T11:30:00.000Z';
    const decided = { ...named, businessName: 'Mills', reason: null, business, submittedAt };
    const count = { family: 'registrations', of: '' };
    expect(factOf(identityEvents.tradeAccountApproved, user, decided)?.counts).toEqual([
      { ...count, measures: { approved: 1 }, value: 24.5 },
    ]);
    expect(factOf(identityEvents.tradeAccountRejected, user, decided)?.counts).toEqual([
      { ...count, measures: { rejected: 1 }, value: 24.5 },
    ]);
  });
});

it('a redemption counts for each of its campaigns and once for all, and a release takes it off again', () => {
  const redemption = {
    orderRef: 'order-1',
    userId: user,
    segment: 'retail' as const,
    currency: 'EUR',
    subtotal: 2000,
    discount: 300,
    shippingDiscount: 0,
    total: 1700,
    campaigns: [
      { campaignId: 'one', code: null, amount: 100 },
      { campaignId: 'two', code: 'X', amount: 200 },
    ],
  };
  const redeemed = factOf(engagementEvents.discountRedeemed, 'red', {
    ...redemption,
    status: 'confirmed',
    heldUntil: null,
  });
  const released = factOf(engagementEvents.discountReleased, 'red', {
    ...redemption,
    was: 'held',
    reason: 'requested',
  });
  expect(redeemed?.counts).toEqual([
    { family: 'campaigns', of: 'EUR', measures: { redemptions: 1, discount: 300, orderValue: 1700 } },
    { family: 'campaigns', of: 'one EUR', measures: { redemptions: 1, discount: 100, orderValue: 1700 } },
    { family: 'campaigns', of: 'two EUR', measures: { redemptions: 1, discount: 200, orderValue: 1700 } },
  ]);
  expect(released?.counts.map(({ measures }) => measures['discount'])).toEqual([-300, -100, -200]);
  expect(redeemed?.sets).toEqual([
    { set: 'active', of: '' },
    { set: 'campaignCustomers', of: '' },
    { set: 'campaignCustomers', of: 'one' },
    { set: 'campaignCustomers', of: 'two' },
  ]);
  expect(released?.sets).toEqual([]);
});

it('what is owed of an invoice counts at once, and again as it grows older', () => {
  const invoice = { accountId: user, number: '1', currency: 'EUR', total: 900, balance: 400, dueOn: '2026-12-21' };
  const changed = { ...invoice, delta: -500, reason: 'paid' as const, changedAt: time };
  const fact = factOf(billingEvents.invoiceBalanceChanged, 'inv', changed);
  const counts = (measure: string) => [{ family: 'receivables', of: 'EUR', measures: { [measure]: -500 } }];
  expect(fact?.counts).toEqual(counts('open'));
  expect(fact?.later).toEqual([
    { from: '2026-12-22', counts: counts('open1') },
    { from: '2027-01-21', counts: counts('open31') },
    { from: '2027-02-20', counts: counts('open61') },
    { from: '2027-03-22', counts: counts('open91') },
  ]);
  expect(fact?.last).toEqual(new Date('2027-03-22'));
  const paid = { ...invoice, balance: 0, paidAt: time, issuedAt: '2026-11-11T12:00:00.000Z' };
  expect(factOf(billingEvents.invoicePaid, 'inv', paid)).toMatchObject({
    counts: [{ measures: { paid: 900 }, value: 12 }],
    later: [],
    last: new Date(time),
  });
});

it('a message counts for its channel and category and for all together, suppressed where it was not to be sent', () => {
  const message = {
    channel: 'EMAIL' as const,
    category: 'offers',
    template: 'x',
    userId: user,
    segment: 'retail' as const,
  };
  const failed = (reason: string) =>
    factOf(engagementEvents.notificationFailed, 'dlv', { ...message, attempts: 1, reason })?.counts;
  expect(failed('550 no')).toEqual([
    { family: 'notifications', of: '', measures: { failed: 1 } },
    { family: 'notifications', of: 'EMAIL offers', measures: { failed: 1 } },
  ]);
  expect(failed('address_bounced')?.[0]?.measures).toEqual({ suppressed: 1 });
  const read = { ...message, requestedAt: '2026-11-23T11:59:30.000Z', readAt: time };
  expect(factOf(engagementEvents.notificationRead, 'ntf', read)).toMatchObject({
    counts: [{ measures: { read: 1 }, value: 0.5 }, { value: 0.5 }],
    sets: [{ set: 'active' }],
  });
});

it('an alert makes nobody active, a wish does', () => {
  const wish = { itemId: newId('wli'), productId: 'mug', tier: 'retail' as const };
  expect(factOf(accountEvents.wishlistItemAdded, user, wish)?.sets).toEqual([{ set: 'active', of: '' }]);
  const alert = {
    userId: user,
    kind: 'price-drop' as const,
    productId: 'mug',
    productName: 'Mug',
    tier: 'retail' as const,
  };
  const raised = factOf(accountEvents.wishlistAlertRaised, user, { ...alert, was: euros(2), now: euros(1) });
  expect([raised?.counts, raised?.sets]).toEqual([[{ family: 'wishlists', of: '', measures: { alerts: 1 } }], []]);
});
