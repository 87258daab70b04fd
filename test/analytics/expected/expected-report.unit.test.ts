import { accountEvents, fact, newId, ordersEvents, toEvent, type EventContract } from '@storefront/contracts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { expectedReport, knownOf } from './expected-report.ts';
import { readEvents } from './read-events.ts';
import { readVisits } from './read-visits.ts';

const [userId, productId] = [newId('user'), newId('prod')];

function at<Contract extends EventContract>(
  time: string,
  contract: Contract,
  subject: string,
  data: z.input<Contract['data']>,
) {
  return toEvent(fact(contract, subject, data), { sequence: 1, time: new Date(time) });
}

const wish = at('2026-10-25T00:10:00Z', accountEvents.wishlistItemAdded, userId, {
  itemId: newId('wli'),
  productId,
  tier: 'retail',
});
const order = (orderId: string, placedAt: string) =>
  at('2026-10-28T00:00:00Z', ordersEvents.orderPlaced, orderId, {
    orderId,
    userId,
    recipient: { firstName: 'Robin', lastName: 'Reader' },
    placedAt,
    totals: { discount: { amount: 100, currency: 'EUR' }, total: { amount: 1900, currency: 'EUR' } },
    lines: [{ productId, quantity: 2, unitPrice: { amount: 1000, currency: 'EUR' } }],
  });
const known = knownOf([
  ...readEvents([wish, wish, order('order-2', '2026-10-25T23:30:00Z'), order('order-1', '2026-10-25T00:30:00Z')]),
  ...readVisits([
    {
      by: { userId, role: 'retail' },
      event: { id: 'v', type: 'product-viewed', at: '2026-10-24T23:00:00Z', productId },
    },
    { by: { anonymousId: 'a' }, event: { id: 'c', type: 'checkout-started', at: '2026-10-25T00:20:00Z' } },
  ]),
]);
const ask = (report: 'sales' | 'funnel' | 'wishlists' | 'products') =>
  expectedReport(known, {
    report,
    from: '2026-10-25',
    to: '2026-10-27',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    comparesPrevious: true,
  });

test('orders are in the day of their time zone, and the second one is of a buyer who had ordered before', () => {
  const { rows, totals, previous } = ask('sales');
  const sale = { units: 2, gross: 2000, discount: 100, net: 1900, averageOrder: 1900 };
  expect(rows.get('2026-10-25 | retail | ')).toEqual({ orders: 1, ...sale, returningShare: 0 });
  expect(rows.get('2026-10-26 | retail | ')).toEqual({ orders: 1, ...sale, returningShare: 1 });
  expect(totals).toMatchObject({ orders: 2, gross: 4000, returningShare: 0.5 });
  expect(previous).toMatchObject({ from: '2026-10-23', to: '2026-10-25', totals: { orders: 0, averageOrder: null } });
});

test('an event that came twice counts once; a wish and a view are followed by an order of the product', () => {
  expect(ask('wishlists').totals).toMatchObject({ additions: 1, wishedAndOrdered: 1 });
  const row = { views: 1, wishlists: 1, units: 4, revenue: 4000, viewsOrderedShare: 1 };
  expect(ask('products').rows.get(`2026-10-25 | retail | ${productId}`)).toEqual(row);
});

test('a step of somebody else is none of the funnel', () => {
  expect(ask('funnel').totals).toMatchObject({ viewed: 1, wishlisted: 1, checkout: 0, ordered: 0, orderedShare: null });
});
