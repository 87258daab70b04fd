import { audited, ordersErrors, type Actor, type ordersHttp } from '@storefront/contracts';
import type { Answered } from './answers.ts';
import { forgetAtAfter, type Order, type OrderLine, type Shipment, type SomePieces } from './order.ts';
import { askedPieces, checkRoom } from './pieces.ts';
import type { Step } from './transitions.ts';

/** Who asks for a change of a placed order, and when. */
export interface Asked {
  readonly actor: Actor;
  readonly now: Date;
}

/** Who cancels an order, and why. */
export interface Cancelling {
  readonly by: Step['by'];
  readonly actor: Actor;
  readonly note?: string | undefined;
}

/** Cancels the whole order. Throws `invalid_transition` where something is shipped. */
export function cancel(order: Order, { by, actor, note }: Cancelling): Answered {
  const { id, userId, fulfilment } = order;
  if (fulfilment !== 'open') throw ordersErrors.invalidTransition(fulfilment);
  const object = { type: 'order', id };
  return {
    order,
    step: { happening: 'cancel', by, reason: 'cancelled', note },
    ...(by === 'shop' && { audit: audited('orders', actor, 'order-cancelled', { object, about: userId }) }),
  };
}

/** How many pieces of the line are still to be shipped. */
export function toShipOf({
  quantity,
  shipped,
  cancelled,
}: Pick<OrderLine, 'quantity' | 'shipped' | 'cancelled'>): number {
  return quantity - shipped - cancelled;
}

/** The order with how far its fulfilment has come. */
export function withFulfilment(order: Order): Order {
  const { lines, deliveredAt } = order;
  const hasShipped = lines.some(({ shipped }) => shipped > 0);
  const fulfilment = !hasShipped
    ? 'open'
    : lines.some((line) => toShipOf(line) > 0)
      ? 'partial'
      : deliveredAt === null
        ? 'shipped'
        : 'delivered';
  return { ...order, fulfilment };
}

/**
 * Ships pieces of a placed order; all that is left where no lines are given. Returns null for a shipment that is known.
 * Throws `not_enough_left`, `payment_disputed`, `too_many_order_changes`, `invalid_transition` where nothing is left,
 * and `validation_failed` for lines that the order does not have.
 */
export function ship(
  order: Order,
  { id, given }: { readonly id: string; readonly given: ordersHttp.ShipmentCreation },
  { actor, now }: Asked,
): Answered | null {
  if (isShippedAs(order, id)) return null;
  checkRoom(order);
  if (order.payment.disputed > 0) throw ordersErrors.paymentDisputed();
  const lines = askedPieces(order, given.lines, toShipOf);
  if (lines.length === 0) throw ordersErrors.invalidTransition(order.fulfilment);
  const { carrier = null, trackingNumber = null, trackingUrl = null } = given;
  const shipment: Shipment = { id, lines, carrier, trackingNumber, trackingUrl, shippedAt: now };
  return {
    order: withFulfilment({
      ...order,
      lines: withPieces(order.lines, lines),
      shipments: [...order.shipments, shipment],
      forgetAt: order.forgetAt && forgetAtAfter(now),
    }),
    step: { happening: 'ship', by: 'shop', lines },
    audit: audited('orders', actor, 'order-shipped', {
      object: { type: 'order', id: order.id },
      about: order.userId,
      details: { shipment: id, pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0) },
    }),
  };
}

/** Whether the order has this shipment. */
export function isShippedAs({ shipments }: Pick<Order, 'shipments'>, id: string): boolean {
  return shipments.some((each) => each.id === id);
}

/** Notes that all that was shipped has arrived. Throws `invalid_transition` where not all of the order is shipped. */
export function deliver(order: Order, { actor, now }: Asked): Answered {
  if (order.fulfilment !== 'shipped') throw ordersErrors.invalidTransition(order.fulfilment);
  const lines = order.lines.flatMap(({ id, shipped }) => (shipped > 0 ? { lineId: id, quantity: shipped } : []));
  return {
    order: withFulfilment({ ...order, deliveredAt: now }),
    step: { happening: 'deliver', by: 'shop', lines },
    audit: audited('orders', actor, 'order-delivered', {
      object: { type: 'order', id: order.id },
      about: order.userId,
    }),
  };
}

function withPieces(lines: Order['lines'], pieces: SomePieces): Order['lines'] {
  const more = new Map(pieces.map(({ lineId, quantity }) => [lineId, quantity]));
  return lines.map((line) => ({ ...line, shipped: line.shipped + (more.get(line.id) ?? 0) }));
}
