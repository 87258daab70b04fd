import { expect, it } from 'vitest';
import { campaignOf, cartOf, evaluated, everything, line, useOf } from '../../../test/carts.ts';

it('takes a percentage off items before a fixed amount off the order, and adds the shipping', () => {
  const tenPercent = campaignOf(
    { type: 'percentage', basisPoints: 1000, target: 'items', items: everything, maximumAmount: null },
    { id: 'camp_b', priority: 5 },
  );
  const fiveOff = campaignOf({ type: 'fixed-amount', amount: 500, target: 'order', items: everything });
  const cart = cartOf([line('prod_a', 2, 1000), line('prod_b', 1, 999)], { shipping: 499 });
  // 2000 + 999 = 2999; 10 % are 299.9, so 300; 500 more; 499 for shipping.
  expect(evaluated({ cart, campaigns: [useOf(fiveOff), useOf(tenPercent)] })).toMatchObject({
    subtotal: 2999,
    discount: 800,
    shippingDiscount: 0,
    total: 2698,
    campaigns: [
      { campaignId: 'camp_a', applied: true, amount: 500 },
      { campaignId: 'camp_b', applied: true, amount: 300 },
    ],
  });
});
