import { expect, it } from 'vitest';
import { demoOrders } from './fill-orders.ts';

it('has ten orders in each state that lasts, each with a name of its own', () => {
  const stands = demoOrders.map(({ end, fulfilment }) =>
    end === 'paid' || end === 'on-account' ? (fulfilment ?? 'open') : end,
  );
  for (const state of ['open', 'partial', 'shipped', 'delivered', 'cancelled', 'out-of-stock'])
    expect(stands.filter((each) => each === state).length, state).toBeGreaterThanOrEqual(10);
  expect(stands.filter((each) => each === 'unpaid')).toHaveLength(4);
  expect(new Set(demoOrders.map(({ reference }) => reference)).size).toBe(demoOrders.length);
});
