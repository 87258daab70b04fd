import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { invoiceOrder } from '../commands/invoice-order.ts';

/**
 * Issues the invoice of an order on account. If the same order comes twice, its invoice or its refusal is already
 * stored, so nothing happens again. A refusal is kept longer than the order's event can be delivered. If the order
 * comes before its account, the event is retried until the account is known.
 */
export function onOrderPlaced(needs: Parameters<typeof invoiceOrder>[0]) {
  return on(ordersEvents.orderPlaced, async ({ id, data }) => {
    const outcome = await invoiceOrder(needs, id, data);
    if (outcome === 'done') return undefined;
    return { outcome: 'retry', reason: `${data.userId} has no trade account that billing knows` } as const;
  });
}
