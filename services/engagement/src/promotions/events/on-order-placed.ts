import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/redemptions.ts';

/**
 * Confirms redemptions that are held for the order. Takes the redemption that the order names again, if it was given
 * back. Stores that the user has ordered. A second delivery of the event changes nothing.
 */
export function onOrderPlaced({ perform }: { readonly perform: PerformStep }) {
  return on(ordersEvents.orderPlaced, async ({ data: { orderId, userId, redemptionId = null, totals } }) => {
    const stated = { discount: totals?.discount ?? null, shipping: totals?.shipping ?? null };
    await perform({ kind: 'place-order', orderId, userId, redemptionId, stated });
  });
}
