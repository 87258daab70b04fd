import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/redemptions.ts';

/**
 * Confirms redemptions that are held for the order. Takes redemptions again that the order names and that were given
 * back. Stores that the user has ordered. A second delivery of the event changes nothing.
 */
export function onOrderPlaced({ perform }: { readonly perform: PerformStep }) {
  return on(ordersEvents.orderPlaced, async ({ data: { orderId, userId, redemptionId, redemptionIds, totals } }) => {
    const ids = redemptionId === undefined ? redemptionIds : [...redemptionIds, redemptionId];
    const stated = { discount: totals?.discount ?? null, shipping: totals?.shipping ?? null };
    await perform({ kind: 'place-order', orderId, userId, ids, stated });
  });
}
