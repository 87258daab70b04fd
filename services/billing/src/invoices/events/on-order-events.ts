import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { creditOrder } from '../commands/credit-order.ts';
import { invoiceOrder } from '../commands/invoice-order.ts';

type CreditNeeds = Parameters<typeof creditOrder>[0];

/**
 * Issues the invoice of an order of a trade account. If the same order comes twice, its invoice or its refusal is already
 * stored, so nothing happens again. A refusal is kept longer than the order's event can be delivered. If the order
 * comes before its account, the event is retried until the account is known. If it comes after a part of it was
 * cancelled, that part is credited at once.
 */
export function onOrderPlaced(needs: Parameters<typeof invoiceOrder>[0] & CreditNeeds) {
  return on(ordersEvents.orderPlaced, async ({ id, data }) => {
    const outcome = await invoiceOrder(needs, id, data);
    if (outcome === 'no-account')
      return { outcome: 'retry', reason: `${data.userId} has no trade account that billing knows` } as const;
    if (outcome === 'done') await creditOrder(needs, data.orderId);
    return undefined;
  });
}

/**
 * Each event may come twice, late, or after a later one of its order: the record of the order says what has happened, and
 * is kept longer than its events can be delivered. The invoice is credited down to what the record says, so a repetition
 * credits nothing.
 */
export function onOrderCancelled(needs: CreditNeeds & { readonly cancelOrder: (orderId: string) => Promise<void> }) {
  return on(ordersEvents.orderCancelled, async ({ subject }) => {
    await needs.cancelOrder(subject);
    await creditOrder(needs, subject);
  });
}

/** As above. What the shop may keep only falls. */
export function onOrderReduced(
  needs: CreditNeeds & { readonly reduceOrder: (orderId: string, reduced: ordersEvents.OrderReduced) => Promise<void> },
) {
  return on(ordersEvents.orderReduced, async ({ subject, data }) => {
    await needs.reduceOrder(subject, data);
    await creditOrder(needs, subject);
  });
}
