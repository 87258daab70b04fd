import { audited, invalidFields, ordersErrors, ordersFields, type ordersHttp } from '@storefront/contracts';
import type { Answered } from './answers.ts';
import { cancel, toShipOf, withFulfilment, type Asked } from './fulfilment.ts';
import { chargedOf, costOf, keptOf } from './kept.ts';
import { forgetAtAfter, moneyOf, type Order, type SomePieces } from './order.ts';
import { askedPieces, checkRoom } from './pieces.ts';

/** Whether the order has this cancelled part or refund. */
export function hasChange({ timeline }: Pick<Order, 'timeline'>, changeId: string): boolean {
  return timeline.some((entry) => entry.changeId === changeId);
}

interface Cancellation {
  readonly id: string;
  readonly lines: SomePieces;
  readonly reason: string | undefined;
}

/**
 * Cancels pieces of a placed order that are not shipped. Where nothing is left then, the whole order is cancelled. Throws
 * `not_enough_left`, `too_many_order_changes`, and `validation_failed` for lines that the order does not have.
 */
export function reduce(order: Order, { id: changeId, lines: named, reason }: Cancellation, asked: Asked): Answered {
  checkRoom(order);
  const lines = askedPieces(order, named, toShipOf);
  const next = withFulfilment({ ...order, lines: withMore(order, lines, 'cancelled') });
  if (next.lines.every(({ quantity, cancelled }) => cancelled === quantity)) {
    const whole = cancel(order, { by: 'shop', actor: asked.actor, note: reason });
    return { ...whole, step: { ...whole.step, changeId } };
  }
  const amount = keptOf(order) - keptOf(next);
  return {
    order: { ...next, forgetAt: order.forgetAt && forgetAtAfter(asked.now) },
    step: { happening: 'reduce', by: 'shop', lines, amount, note: reason, changeId },
    audit: auditOf(order, asked, 'order-reduced', lines, amount),
  };
}

/**
 * Refunds pieces, shipping or an amount of a placed order. Throws `not_enough_left`, `refund_too_large`,
 * `nothing_to_refund`, `too_many_order_changes`, and `validation_failed` for lines that the order does not have and for
 * another currency.
 */
export function refund(
  order: Order,
  { id: changeId, given }: { readonly id: string; readonly given: ordersHttp.RefundCreation },
  asked: Asked,
): Answered {
  const { lines: named = [], shipping = false, goodwill, reason } = given;
  if (goodwill && goodwill.currency !== order.currency)
    throw invalidFields([ordersFields.otherCurrency(order.currency, '/goodwill')]);
  checkRoom(order);
  const lines = askedPieces(order, named, chargedOf);
  const next: Order = {
    ...order,
    lines: withMore(order, lines, 'refunded'),
    isShippingRefunded: order.isShippingRefunded || shipping,
    goodwill: order.goodwill + (goodwill?.amount ?? 0),
    forgetAt: order.forgetAt && forgetAtAfter(asked.now),
  };
  if (costOf(next) < next.goodwill)
    throw ordersErrors.refundTooLarge().with({ members: { left: moneyOf(order, keptOf(order)) } });
  const amount = keptOf(order) - keptOf(next);
  if (amount === 0) throw ordersErrors.nothingToRefund();
  return {
    order: next,
    step: { happening: 'refund', by: 'shop', lines, amount, note: reason, changeId },
    audit: auditOf(order, asked, 'order-refunded', lines, amount),
  };
}

function withMore(order: Order, pieces: SomePieces, field: 'cancelled' | 'refunded'): Order['lines'] {
  const more = new Map(pieces.map(({ lineId, quantity }) => [lineId, quantity]));
  return order.lines.map((line) => ({ ...line, [field]: line[field] + (more.get(line.id) ?? 0) }));
}

function auditOf(
  { id, userId, currency }: Order,
  { actor }: Asked,
  action: 'order-reduced' | 'order-refunded',
  lines: SomePieces,
  amount: number,
) {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return audited('orders', actor, action, {
    object: { type: 'order', id },
    about: userId,
    details: { pieces, amount, currency },
  });
}
