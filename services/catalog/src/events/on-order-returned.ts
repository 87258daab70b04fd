import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/reserve-stock.ts';

/**
 * Counts what has come back of an order and can be sold again. A second delivery of the event changes nothing: the reservation's
 * document has the ids of the returns, and is kept for `eventRecordDays` after the last one.
 */
export function onOrderReturned({ performStep }: { readonly performStep: PerformStep }) {
  return on(ordersEvents.orderReturned, async ({ subject: orderId, data: returned }) => {
    if (returned.restocked) await performStep({ kind: 'return', orderId, returned });
  });
}
