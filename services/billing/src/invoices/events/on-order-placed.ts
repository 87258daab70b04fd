import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { invoiceOrder } from '../commands/invoice-order.ts';

/**
 * Issues the invoice of an order on account. An order that comes twice has its invoice already, or its refusal, which is kept for
 * longer than its event can be on its way. The account of an order that is overtaken comes with one of the next tries.
 */
export function onOrderPlaced(needs: Parameters<typeof invoiceOrder>[0]) {
  return on(ordersEvents.orderPlaced, async ({ id, data }) => {
    const outcome = await invoiceOrder(needs, id, data);
    if (outcome === 'done') return undefined;
    return { outcome: 'retry', reason: `${data.userId} has no trade account that billing knows` } as const;
  });
}
