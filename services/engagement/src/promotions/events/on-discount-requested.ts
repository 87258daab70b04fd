import { ordersEvents } from '@storefront/contracts';
import { on, type HandlerAnswer } from '@storefront/messaging';
import { holdForOrder, type HoldNeeds } from '../commands/hold-for-order.ts';
import { holdIdOf } from '../domain/redemptions/order-discounts.ts';

/**
 * Holds the discounts of an order and answers it. A second delivery is answered as the first one and takes nothing more,
 * by the record of the order.
 */
export function onDiscountRequested(needs: HoldNeeds) {
  return on(ordersEvents.discountRequested, async ({ subject, data }): Promise<HandlerAnswer> => {
    const id = holdIdOf(subject);
    if (id === null) return { outcome: 'reject', reason: 'the subject is no id of an order' };
    await holdForOrder(needs, { id, orderId: subject }, data);
    return 'done';
  });
}
