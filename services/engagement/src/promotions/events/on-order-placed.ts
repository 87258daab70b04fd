import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { placeOrder } from '../commands/place-order.ts';

/** Confirms what the order was placed with. A second delivery finds the order noted there, and the user's first order too. */
export function onOrderPlaced(needs: Parameters<typeof placeOrder>[0]) {
  return on(ordersEvents.orderPlaced, async ({ data: { orderId, userId, redemptionId, redemptionIds, totals } }) => {
    const named = redemptionId === undefined ? redemptionIds : [...redemptionIds, redemptionId];
    const stated = { discount: totals?.discount ?? null, shipping: totals?.shipping ?? null };
    await placeOrder(needs, { orderId, userId, redemptionIds: named, stated });
  });
}
