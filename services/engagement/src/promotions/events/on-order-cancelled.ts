import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { PerformStep } from '../commands/redemptions.ts';

/**
 * Gives back what is held or confirmed for the order, once. The record of the order makes a second delivery harmless,
 * and the request and the placing of the order if they come later.
 */
export function onOrderCancelled({ perform }: { readonly perform: PerformStep }) {
  return on(ordersEvents.orderCancelled, async ({ subject: orderId }) => {
    await perform({ kind: 'cancel-order', orderId });
  });
}
