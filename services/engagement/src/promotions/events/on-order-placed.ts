import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/redemptions.ts';

/**
 * Confirms what is held for the order, takes again what the order names and was given back, and notes that the user has ordered. A
 * second delivery changes nothing.
 */
export function onOrderPlaced({ perform }: { readonly perform: PerformStep }) {
  return on(ordersEvents.orderPlaced, async ({ data: { orderId, userId, redemptionId, redemptionIds, totals } }) => {
    const ids = redemptionId === undefined ? redemptionIds : [...redemptionIds, redemptionId];
    const stated = { discount: totals?.discount ?? null, shipping: totals?.shipping ?? null };
    await perform({ kind: 'place-order', orderId, userId, ids, stated });
  });
}
