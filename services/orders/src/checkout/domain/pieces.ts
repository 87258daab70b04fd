import { invalidFields, ordersErrors, ordersFields } from '@storefront/contracts';
import type { Order, OrderLine, SomePieces } from './order.ts';

/** So often an order can be changed, by whomever. */
const maxTimeline = 300;

/** Throws `too_many_order_changes` where the order has no room for another entry of its timeline. */
export function checkRoom({ timeline }: Pick<Order, 'timeline'>): void {
  if (timeline.length >= maxTimeline) throw ordersErrors.tooManyOrderChanges(maxTimeline);
}

/**
 * The pieces that somebody asks for, of lines of which `leftOf` says how many are left; all that are left where none are
 * named. Throws `validation_failed` for lines that the order does not have, or that are named twice, and
 * `not_enough_left` with every line of which there are fewer.
 */
export function askedPieces(
  order: Pick<Order, 'lines'>,
  named: SomePieces | undefined,
  leftOf: (line: OrderLine) => number,
): SomePieces {
  const left = new Map(order.lines.map((line) => [line.id, Math.max(0, leftOf(line))]));
  if (named === undefined) return [...left].flatMap(([lineId, quantity]) => (quantity > 0 ? { lineId, quantity } : []));
  const faults = named.flatMap(({ lineId }, index) => {
    const pointer = `/lines/${index}/lineId`;
    if (!left.has(lineId)) return [ordersFields.unknownLine(pointer)];
    return named.slice(0, index).some((each) => each.lineId === lineId) ? [ordersFields.sameLine(pointer)] : [];
  });
  if (faults.length > 0) throw invalidFields(faults);
  const short = named.flatMap(({ lineId, quantity }) => {
    const of = left.get(lineId) ?? 0;
    return quantity > of ? { lineId, left: of } : [];
  });
  if (short.length > 0) throw ordersErrors.notEnoughLeft().with({ members: { lines: short } });
  return named;
}
