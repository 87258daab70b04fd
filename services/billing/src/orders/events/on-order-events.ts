import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { closePayment } from '../commands/end-payment.ts';
import { requestPayment } from '../commands/request-payment.ts';

/**
 * Each event may come twice, late, or after a later one of its order: the record of the order says what has happened, and
 * is kept longer than its events can be delivered.
 */
export function onPaymentRequested(needs: Parameters<typeof requestPayment>[0]) {
  return on(ordersEvents.paymentRequested, (event) => requestPayment(needs, event));
}

/** As above. A repeated event gets the same answer again. */
export function onPaymentClosingRequested(needs: Parameters<typeof closePayment>[0]) {
  return on(ordersEvents.paymentClosingRequested, ({ subject }) => closePayment(needs, subject));
}
