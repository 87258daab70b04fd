import { audited, notFound, ordersErrors, type Actor, type ordersHttp } from '@storefront/contracts';
import type { Answered } from './answers.ts';
import type { Asked } from './fulfilment.ts';
import { forgetAtAfter, type Order, type OrderLine, type OrderReturn, type SomePieces } from './order.ts';
import { askedPieces, checkRoom } from './pieces.ts';
import type { Step } from './transitions.ts';

/** So many returns an order has at most. Buyers announce them, and must leave room for what staff do with the order. */
const maxReturns = 50;

/** Whether the order has this return. */
export function hasReturn({ returns }: Pick<Order, 'returns'>, id: string): boolean {
  return returns.some((each) => each.id === id);
}

/** Whether this return is in that state. */
export function isReturn(status: OrderReturn['status'], { returns }: Pick<Order, 'returns'>, id: string): boolean {
  return returns.some((each) => each.id === id && each.status === status);
}

/** How many pieces of the line may still be announced: they are shipped, and neither on their way back nor returned. */
function returnableOf({ returns }: Pick<Order, 'returns'>, { id, shipped, returned }: OrderLine): number {
  const underWay = returns.filter(({ status }) => status === 'requested').map(({ lines }) => piecesIn(lines, id));
  return underWay.reduce((left, quantity) => left - quantity, shipped - returned);
}

interface Announcement {
  readonly id: string;
  readonly by: Step['by'];
  readonly given: ordersHttp.ReturnCreation;
}

/**
 * Announces that shipped pieces come back. Returns null for a return that is known. Throws `not_enough_left`,
 * `too_many_returns`, `too_many_order_changes`, and `validation_failed` for lines that the order does not have.
 */
export function requestReturn(order: Order, { id, by, given }: Announcement, { actor, now }: Asked): Answered | null {
  if (hasReturn(order, id)) return null;
  if (order.returns.length >= maxReturns) throw ordersErrors.tooManyReturns(maxReturns);
  checkRoom(order);
  const lines = askedPieces(order, given.lines, (line) => returnableOf(order, line));
  const announced: OrderReturn = {
    id,
    status: 'requested',
    lines,
    reason: given.reason,
    isRestocked: false,
    requestedAt: now,
    receivedAt: null,
  };
  return {
    order: { ...order, returns: [...order.returns, announced] },
    step: { happening: 'request-return', by, lines, changeId: id },
    ...(by === 'shop' && { audit: auditOf(order, actor, 'order-return-requested', announced) }),
  };
}

/**
 * Notes that an announced return does not come; its pieces may be announced again. Returns null for one that is withdrawn. Throws
 * `not_found`, `invalid_transition` for one that has come, and `too_many_order_changes`.
 */
export function withdrawReturn(
  order: Order,
  { id, by }: Pick<Announcement, 'id' | 'by'>,
  { actor }: Pick<Asked, 'actor'>,
): Answered | null {
  const announced = announcedAs(order, id);
  if (announced.status === 'withdrawn') return null;
  if (announced.status === 'received') throw ordersErrors.invalidTransition('received');
  checkRoom(order);
  const withdrawn: OrderReturn = { ...announced, status: 'withdrawn' };
  return {
    order: { ...order, returns: order.returns.map((each) => (each.id === id ? withdrawn : each)) },
    step: { happening: 'withdraw-return', by, lines: announced.lines, changeId: id },
    ...(by === 'shop' && { audit: auditOf(order, actor, 'order-return-withdrawn', withdrawn) }),
  };
}

/**
 * Notes that a return has come; all of what was announced where no lines are given. Returns null for one that is received.
 * Throws `not_found`, `invalid_transition` for one that was withdrawn, `not_enough_left` where more has come than was announced,
 * `too_many_order_changes`, and `validation_failed` for lines that the order does not have.
 */
export function receiveReturn(
  order: Order,
  { id, given }: { readonly id: string; readonly given: ordersHttp.ReturnReceipt },
  { actor, now }: Asked,
): Answered | null {
  const announced = announcedAs(order, id);
  if (announced.status === 'received') return null;
  if (announced.status === 'withdrawn') throw ordersErrors.invalidTransition('withdrawn');
  checkRoom(order);
  const lines = askedPieces(order, given.lines, (line) => piecesIn(announced.lines, line.id));
  const received: OrderReturn = {
    ...announced,
    status: 'received',
    lines,
    isRestocked: given.restock,
    receivedAt: now,
  };
  return {
    order: {
      ...order,
      lines: order.lines.map((line) => ({ ...line, returned: line.returned + piecesIn(lines, line.id) })),
      returns: order.returns.map((each) => (each.id === id ? received : each)),
      forgetAt: order.forgetAt && forgetAtAfter(now),
    },
    step: { happening: 'receive-return', by: 'shop', lines, changeId: id },
    audit: auditOf(order, actor, 'order-returned', received),
  };
}

function announcedAs({ returns }: Pick<Order, 'returns'>, id: string): OrderReturn {
  const found = returns.find((each) => each.id === id);
  if (!found) throw notFound('return');
  return found;
}

function piecesIn(pieces: SomePieces, lineId: string): number {
  return pieces.find((each) => each.lineId === lineId)?.quantity ?? 0;
}

function auditOf(
  order: Order,
  actor: Actor,
  action: 'order-return-requested' | 'order-return-withdrawn' | 'order-returned',
  { id, lines, status, isRestocked }: OrderReturn,
) {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return audited('orders', actor, action, {
    object: { type: 'order', id: order.id },
    about: order.userId,
    details: { return: id, pieces, ...(status === 'received' && { restocked: isRestocked }) },
  });
}
