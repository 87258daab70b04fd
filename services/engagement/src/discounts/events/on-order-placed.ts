import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { placeOrder } from '../commands/place-order.ts';

/** Confirms what is held for the order. A second delivery finds it confirmed, and the user's first order noted. */
export function onOrderPlaced(needs: Parameters<typeof placeOrder>[0]) {
  return on(ordersEvents.orderPlaced, async ({ data: { orderId, userId, redemptionId, redemptionIds } }) => {
    const named = redemptionId === undefined ? redemptionIds : [...redemptionIds, redemptionId];
    await placeOrder(needs, { orderId, userId, redemptionIds: named });
  });
}
