import { notFound, ordersErrors } from '@storefront/contracts';
import type { Order } from '../domain/order.ts';
import type { Step } from '../domain/transitions.ts';
import { advanceOrder, type AdvanceNeeds } from './advance-order.ts';

/**
 * Cancels the order: at once where nothing could have been paid, else once its payment is closed. One that is cancelled
 * already, or is being, does not change. Throws `invalid_transition`.
 */
export function cancelOrder(needs: AdvanceNeeds, id: string, by: Step['by']): Promise<Order> {
  const isCancelled = ({ status, closingReason }: Order) =>
    status === 'cancelled' || (status === 'closing' && closingReason === 'cancelled');
  return request(needs, id, { happening: 'cancel', by, reason: 'cancelled' }, isCancelled);
}

/** Asks for another page on which the order is paid. Throws `invalid_transition`. */
export function payOrder(needs: AdvanceNeeds, id: string): Promise<Order> {
  return request(needs, id, { happening: 'pay', by: 'buyer' }, () => false);
}

async function request(needs: AdvanceNeeds, id: string, step: Step, isDone: (order: Order) => boolean): Promise<Order> {
  const outcome = await advanceOrder(needs, id, (order) =>
    isDone(order) || !isPossible(order, step) ? null : { order, step },
  );
  if (outcome.kind === 'unknown') throw notFound('order');
  const { kind, order } = outcome;
  if (kind === 'not-taken' && !isDone(order)) throw ordersErrors.invalidTransition(order.status);
  return order;
}

/** What `transitions` allows is possible, but for what depends on how the order is paid. */
function isPossible({ status, payment }: Order, { happening }: Step): boolean {
  if (happening === 'pay') return payment.method === 'card';
  // What is on account has an invoice by then, which has to be credited.
  return status !== 'placed' || payment.status !== 'on-account';
}
