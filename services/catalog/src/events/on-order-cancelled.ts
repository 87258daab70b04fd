import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/reserve-stock.ts';

/**
 * Gives back what is still reserved for an order. A second delivery of the event changes nothing: the reservation's
 * document, which is kept for `eventRecordDays` from now on, says that it has ended. It is left also where the order has
 * requested nothing yet, so that a request that was overtaken has no effect.
 */
export function onOrderCancelled({ performStep }: { readonly performStep: PerformStep }) {
  return on(ordersEvents.orderCancelled, async ({ subject: orderId }) => {
    await performStep({ kind: 'cancel', orderId });
  });
}
