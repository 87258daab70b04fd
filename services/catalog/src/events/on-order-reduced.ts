import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/reserve-stock.ts';

/**
 * Gives back the pieces of an order that were cancelled. A second delivery of the event changes nothing, as with
 * `onOrderShipped`.
 */
export function onOrderReduced({ performStep }: { readonly performStep: PerformStep }) {
  return on(ordersEvents.orderReduced, async ({ subject: orderId, data: reduction }) => {
    await performStep({ kind: 'reduce', orderId, reduction });
  });
}
