import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { cancelOrder, closePayment, reduceOrder } from '../commands/end-payment.ts';
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

/** As above. An order is cancelled once. */
export function onOrderCancelled(needs: Parameters<typeof cancelOrder>[0]) {
  return on(ordersEvents.orderCancelled, ({ subject }) => cancelOrder(needs, subject));
}

/** As above. What the shop may keep only falls. */
export function onOrderReduced(needs: Parameters<typeof reduceOrder>[0]) {
  return on(ordersEvents.orderReduced, ({ subject, data }) => reduceOrder(needs, subject, data));
}
