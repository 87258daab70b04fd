import {
  ordersErrors,
  type accountEvents,
  type billingEvents,
  type catalogEvents,
  type engagementEvents,
  type EventContract,
  type EventOf,
  type Fact,
  type Refusal,
} from '@storefront/contracts';
import type { Terms } from '../../domain/terms.ts';
import { isTooLarge, totalsOf, type TotalsInput } from '../../domain/totals.ts';
import { moneyOf, type Order } from './order.ts';
import type { Step } from './transitions.ts';

type DataOf<Contract extends EventContract> = EventOf<Contract>['data'];

/** The order with what an answer has brought, and the step that follows from it. */
export interface Answered {
  readonly order: Order;
  readonly step: Step;
  /** What the audit log records of it. */
  readonly audit?: Fact;
}

const bySystem = (happening: Step['happening']): Step => ({ happening, by: 'system' });

/**
 * Each of the functions below reads one answer of another service. They return null for an answer that the order does not
 * wait for: it has come before, or is one to an earlier question.
 */
export function recipientFound(
  order: Order,
  { firstName, lastName, ...place }: DataOf<typeof accountEvents.recipientFound>,
): Answered | null {
  const { status, saved } = order;
  if (status !== 'pending' || saved === null) return null;
  const named = saved.recipient ?? { firstName: firstName ?? '', lastName: lastName ?? '', company: null };
  const shippingAddress = { ...named, ...place };
  const billingAddress = order.billingAddress ?? shippingAddress;
  return { order: { ...order, saved: null, shippingAddress, billingAddress }, step: bySystem('recipient-found') };
}

export function recipientRefused(
  order: Order,
  { reason }: DataOf<typeof accountEvents.recipientRefused>,
): Answered | null {
  if (order.status !== 'pending' || order.saved === null) return null;
  return refused(
    order,
    reason === 'unknown' ? ordersErrors.recipientUnknown() : ordersErrors.recipientWithoutAddress(),
  );
}

export function stockReserved(
  order: Order,
  { lines: reserved }: DataOf<typeof catalogEvents.stockReserved>,
  { shipping, rates, reverseCharge }: Terms,
): Answered | null {
  if (order.status !== 'pending' || order.shipping.price !== null) return null;
  if ('notPossible' in shipping) return refused(order, ordersErrors.shippingNotPossible(shipping.notPossible));
  const byLine = new Map(reserved.map((line) => [line.lineId, line]));
  const lines = order.lines.map((line) => {
    const found = byLine.get(line.id);
    if (!found) throw new Error(`line ${line.id} of ${order.id} is missing in what is reserved`);
    const { sku, name, values, image, unitPrice, taxClass, weight, backOrdered } = found;
    const details = { sku, name, values, image, unitPrice, taxClass, weight, backOrdered };
    return { ...line, reserved: details, taxRate: rates[taxClass] };
  });
  const priced = { ...order.shipping, price: shipping.price, taxRate: rates.shipping };
  return { order: { ...order, lines, shipping: priced, reverseCharge }, step: bySystem('stock-reserved') };
}

export function stockRefused(order: Order, { lines }: DataOf<typeof catalogEvents.stockRefused>): Answered | null {
  if (order.status !== 'pending' || order.shipping.price !== null) return null;
  const variants = new Map(order.lines.map(({ id, variantId }) => [id, variantId]));
  const named = lines.map(({ lineId, reason, available }) => {
    return { variantId: variants.get(lineId) ?? '', reason, available };
  });
  return refused(order, ordersErrors.outOfStock().with({ members: { lines: named } }));
}

export function discountHeld(order: Order, held: DataOf<typeof engagementEvents.discountHeld>): Answered | null {
  if (order.status !== 'pending' || order.shipping.price === null) return null;
  const discounts = new Map(held.lines.map(({ lineId, discount }) => [lineId, discount]));
  const priced = order.lines.map((line) => ({ ...line, discount: discounts.get(line.id) ?? 0 }));
  const shipping = { ...order.shipping, price: order.shipping.price, discount: held.shippingDiscount };
  const input: TotalsInput = {
    taxIncluded: order.taxIncluded,
    lines: priced.map(({ id, quantity, discount, taxRate, reserved }) => {
      return { id, quantity, discount, taxRate, unitPrice: reserved?.unitPrice ?? 0 };
    }),
    shipping,
  };
  if (isTooLarge(input)) return refused(order, ordersErrors.cartTooLarge());
  const sums = totalsOf(input);
  const next: Order = {
    ...order,
    lines: priced.map((line, index) => ({
      ...line,
      tax: sums.lines[index]?.tax ?? 0,
      total: sums.lines[index]?.total ?? 0,
    })),
    shipping: { ...shipping, tax: sums.shipping.tax },
    discounts: held.campaigns,
    redemptionId: held.redemptionId,
    totals: {
      subtotal: sums.subtotal,
      discount: sums.discount,
      shipping: shipping.price,
      tax: sums.tax,
      total: sums.total,
    },
  };
  if (sums.total !== order.expectedTotal) return refused(next, otherTotal(next));
  return { order: next, step: bySystem(sums.total === 0 ? 'nothing-to-pay' : 'priced') };
}

export function discountRefused(order: Order): Answered | null {
  if (order.status !== 'pending' || order.shipping.price === null) return null;
  return refused(order, ordersErrors.orderNotAnswered());
}

export function paymentOpened(
  order: Order,
  { paymentId, redirectUrl }: DataOf<typeof billingEvents.paymentOpened>,
): Answered | null {
  const { payment } = order;
  if (payment.id !== paymentId || payment.redirectUrl !== null) return null;
  return { order: { ...order, payment: { ...payment, redirectUrl } }, step: bySystem('payment-opened') };
}

export function paymentOpenFailed(
  order: Order,
  { paymentId }: DataOf<typeof billingEvents.paymentOpenFailed>,
): Answered | null {
  if (order.payment.id !== paymentId) return null;
  return refused(order, ordersErrors.paymentNotPossible(), 'payment-refused');
}

export function creditReserved(
  order: Order,
  { paymentId }: DataOf<typeof billingEvents.creditReserved>,
): Answered | null {
  const { payment } = order;
  if (payment.id !== paymentId) return null;
  return { order: { ...order, payment: { ...payment, status: 'on-account' } }, step: bySystem('credit-reserved') };
}

export function creditRefused(
  order: Order,
  { paymentId, reason, available }: DataOf<typeof billingEvents.creditRefused>,
): Answered | null {
  if (order.payment.id !== paymentId) return null;
  const members = { available: available === null ? null : moneyOf(order, available) };
  const refusal = reason === 'limit' ? ordersErrors.creditExceeded().with({ members }) : ordersErrors.creditOnHold();
  return refused(order, refusal, 'payment-refused');
}

/** `sequence` is that of the event: billing's sums are absolute, and the newest count. */
export function paymentChanged(
  order: Order,
  { received, refunded, disputed, refundsFailed, state }: DataOf<typeof billingEvents.orderPaymentChanged>,
  sequence: number,
): Answered | null {
  const { payment } = order;
  if (sequence <= payment.sequence) return null;
  const next = {
    ...order,
    payment: { ...payment, received, refunded, disputed, refundsFailed, status: state, sequence },
  };
  if (isPaid(next)) return { order: next, step: bySystem('paid') };
  const hasFailed = state === 'failed' && payment.status !== 'failed' && order.status === 'awaiting-payment';
  return { order: next, step: bySystem(hasFailed ? 'payment-failed' : 'money-moved') };
}

export function paymentClosed(
  order: Order,
  { received, refunded }: DataOf<typeof billingEvents.paymentClosed>,
  sequence: number,
): Answered | null {
  const { payment } = order;
  if (order.status !== 'closing') return null;
  const isNewer = sequence > payment.sequence;
  const next = isNewer ? { ...order, payment: { ...payment, received, refunded, sequence } } : order;
  return { order: next, step: bySystem(isPaid(next) ? 'paid' : 'payment-closed') };
}

/** Whether the order has its money and may be placed: nobody has ended it. */
function isPaid({ status, closingReason, totals, payment: { received, refunded, disputed } }: Order): boolean {
  const mayBePlaced = status === 'awaiting-payment' || (status === 'closing' && closingReason === 'unpaid');
  return mayBePlaced && received - refunded - disputed >= totals.total;
}

/** Why the total is another one: the price of a line, or all the rest. */
function otherTotal(order: Order): Refusal {
  const hasOtherPrice = order.lines.some(({ shownPrice, reserved }) => reserved?.unitPrice !== shownPrice);
  const refuse = hasOtherPrice ? ordersErrors.priceChanged : ordersErrors.discountChanged;
  const { expectedTotal, totals } = order;
  return refuse().with({
    members: { expectedTotal: moneyOf(order, expectedTotal), total: moneyOf(order, totals.total) },
  });
}

function refused(
  order: Order,
  { code, message: detail, members = {} }: Refusal,
  happening: 'refused' | 'payment-refused' = 'refused',
): Answered {
  return { order, step: { happening, by: 'system', refusal: { code, detail, members: { ...members } } } };
}
