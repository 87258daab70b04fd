import type { ordersHttp } from '@storefront/contracts';
import type { Order } from '../domain/order.ts';

/** Which orders a list has, the newest first. */
export interface OrderFilter {
  readonly user?: string | undefined;
  readonly status?: Order['status'] | undefined;
  readonly fulfilment?: Order['fulfilment'] | undefined;
  readonly payment?: Order['payment']['status'] | undefined;
  readonly attention?: ordersHttp.OrderAttention | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** A number, or the email address of a guest. */
  readonly q?: string | undefined;
}

/** Those that staff have to see to, as `attentionOf` says: each of these conditions has a partial index of that name. */
const conditions: Readonly<Record<ordersHttp.OrderAttention, (now: Date) => object>> = {
  stuck: (now) => ({ stuckAt: { $gt: new Date(0), $lte: now } }),
  disputed: () => ({ 'payment.disputed': { $gt: 0 } }),
  'refund-failed': () => ({ 'payment.refundsFailed': { $gt: 0 } }),
};

/** The query of a list, and the index by which it is read: that of the condition which the fewest orders meet. */
export function listQuery({ user, status, fulfilment, payment, attention, from, to, q }: OrderFilter, now: Date) {
  // Orders that were never placed stay `open` for ever.
  const ofStatus = status ?? (fulfilment === undefined ? undefined : 'placed');
  const isEmail = q?.includes('@') === true;
  const filter = {
    ...(user !== undefined && { userId: user }),
    ...(ofStatus !== undefined && { status: ofStatus }),
    ...(fulfilment !== undefined && { fulfilment }),
    ...(payment !== undefined && { 'payment.status': payment }),
    ...(attention !== undefined && conditions[attention](now)),
    ...((from ?? to) !== undefined && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
    ...(q !== undefined && (isEmail ? { email: q.toLowerCase() } : { number: q.toUpperCase() })),
  };
  return { filter, hint: indexOf() };

  function indexOf(): string {
    // The fewest by far.
    if (attention !== undefined) return attention;
    if (q !== undefined) return isEmail ? 'by_email' : 'by_number';
    if (user !== undefined) return status === undefined ? 'newest' : 'by_status';
    // In the end all orders are delivered.
    if (payment !== undefined && (fulfilment === undefined || fulfilment === 'delivered')) return 'all_by_payment';
    if (fulfilment !== undefined) return 'all_by_fulfilment';
    return status === undefined ? 'all_newest' : 'all_by_status';
  }
}
