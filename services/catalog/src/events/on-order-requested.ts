import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/reserve-stock.ts';

/**
 * Reserves what an order wants, all of it or nothing, and answers. A second delivery of the event reserves nothing more and
 * publishes the same answer again: the reservation's document, which is kept for `eventRecordDays` after its end, says
 * what it was.
 */
export function onOrderRequested({ performStep }: { readonly performStep: PerformStep }) {
  return on(ordersEvents.orderRequested, async ({ subject: orderId, data: request }) => {
    await performStep({ kind: 'request', orderId, request });
  });
}
