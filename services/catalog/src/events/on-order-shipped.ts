import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/reserve-stock.ts';

/**
 * Takes what was shipped out of the stock. A second delivery of the event changes nothing: the reservation's document,
 * which is kept for `eventRecordDays` after its end, has the ids of the shipments.
 */
export function onOrderShipped({ performStep }: { readonly performStep: PerformStep }) {
  return on(ordersEvents.orderShipped, async ({ subject: orderId, data: shipment }) => {
    await performStep({ kind: 'ship', orderId, shipment });
  });
}
