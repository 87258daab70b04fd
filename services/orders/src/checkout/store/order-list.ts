import { ordersHttp } from '@storefront/contracts';
import type { Order } from '../domain/order.ts';

/** Which orders a list has, the newest first. */
export interface OrderFilter {
  readonly user?: string | undefined;
  readonly status?: Order['status'] | undefined;
  readonly fulfilment?: Order['fulfilment'] | undefined;
  readonly payment?: Order['payment']['status'] | undefined;
  readonly return?: Order['returns'][number]['status'] | undefined;
  readonly attention?: ordersHttp.OrderAttention | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** A number, or the email address of a guest. */
  readonly q?: string | undefined;
}

const { fulfilmentStatus, orderPaymentStatus, orderStatus } = ordersHttp;

/** All orders, by each field of the state that the indexes by state begin with. */
const ofAnyState = {
  status: { $in: orderStatus.options },
  fulfilment: { $in: fulfilmentStatus.options },
  'payment.status': { $in: orderPaymentStatus.options },
};

/** Those that staff have to see to, as `attentionOf` says: each of these conditions has a partial index of that name. */
const conditions: Readonly<Record<ordersHttp.OrderAttention, (now: Date) => object>> = {
  stuck: (now) => ({ stuckAt: { $gt: new Date(0), $lte: now } }),
  disputed: () => ({ 'payment.disputed': { $gt: 0 } }),
  'refund-failed': () => ({ 'payment.refundsFailed': { $gt: 0 } }),
};

/**
 * The query of a list, and the index by which it is read. Where the list is of some states, a field that may have any value
 * names all of them: then the database merges the parts of the index in the order of the list, and reads no order that is
 * not listed. They are at most 28 parts.
 */
export function listQuery(
  { user, status, fulfilment, payment, attention, return: returned, from, to, q }: OrderFilter,
  now: Date,
) {
  // Orders that were never placed stay `open` for ever.
  const ofStatus = status ?? (fulfilment === undefined ? undefined : 'placed');
  const isEmail = q?.includes('@') === true;
  const isByState = q === undefined && (ofStatus ?? payment) !== undefined;
  const filter = {
    ...(isByState && ofAnyState),
    ...(user !== undefined && { userId: user }),
    ...(ofStatus !== undefined && { status: ofStatus }),
    ...(fulfilment !== undefined && { fulfilment }),
    ...(payment !== undefined && { 'payment.status': payment }),
    ...(returned !== undefined && { 'returns.status': returned }),
    ...(attention !== undefined && conditions[attention](now)),
    ...((from ?? to) !== undefined && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
    ...(q !== undefined && (isEmail ? { email: q.toLowerCase() } : { number: q.toUpperCase() })),
  };
  return { filter, hint: indexOf() };

  function indexOf(): string {
    // The fewest by far.
    if (attention !== undefined) return attention;
    if (q !== undefined) return isEmail ? 'by_email' : 'by_number';
    if (user !== undefined) return isByState ? 'by_state' : 'newest';
    if (returned !== undefined) return 'all_by_return';
    return isByState ? 'all_by_state' : 'all_newest';
  }
}
