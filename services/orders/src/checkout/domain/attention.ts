import type { ordersHttp } from '@storefront/contracts';
import type { Order } from './order.ts';

/** Why staff have to see to the order; empty for most. */
export function attentionOf(
  { stuckAt, payment }: Pick<Order, 'stuckAt' | 'payment'>,
  now: Date,
): ordersHttp.OrderAttention[] {
  return [
    ...(stuckAt !== null && stuckAt <= now ? ['stuck' as const] : []),
    ...(payment.disputed > 0 ? ['disputed' as const] : []),
    ...(payment.refundsFailed > 0 ? ['refund-failed' as const] : []),
  ];
}
