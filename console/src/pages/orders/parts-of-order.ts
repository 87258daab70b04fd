import type { Order } from '@storefront/client';

type Line = Order['lines'][number];

export interface PiecesLeft {
  readonly id: string;
  readonly name: string;
  readonly most: number;
}

/** What a line is of. An order that is not placed yet, or was refused, knows of its products only which they are. */
export const nameOfLine = ({ name, sku, productId, values }: Line): string =>
  [name ?? sku ?? productId, ...(values.length > 0 ? [`(${values.join(', ')})`] : [])].join(' ');

const piecesOf = ({ lines }: Order, count: (line: Line) => number): PiecesLeft[] =>
  lines.flatMap((line) => (count(line) > 0 ? [{ id: line.id, name: nameOfLine(line), most: count(line) }] : []));

export const leftToShip = (order: Order): PiecesLeft[] =>
  piecesOf(order, (line) => line.quantity - line.shipped - line.cancelled);
export const leftToRefund = (order: Order): PiecesLeft[] =>
  piecesOf(order, (line) => line.quantity - line.cancelled - line.refunded);

/** What was shipped and is neither back nor on its way. */
export function leftToReturn(order: Order): PiecesLeft[] {
  const announced = (id: string) =>
    order.returns
      .filter(({ status }) => status === 'requested')
      .flatMap(({ lines }) => lines)
      .reduce((sum, { lineId, quantity }) => (lineId === id ? sum + quantity : sum), 0);
  return piecesOf(order, (line) => line.shipped - line.returned - announced(line.id));
}

/** What the pieces have cost, after discounts and with tax: about what a refund of them gives back. */
export function worthOf(order: Order, pieces: Readonly<Record<string, number>>): number {
  return order.lines.reduce(
    (sum, line) => sum + Math.round((line.total.amount * (pieces[line.id] ?? 0)) / Math.max(1, line.quantity)),
    0,
  );
}

export function nameOfBuyer({ shippingAddress: address, email }: Order): string {
  return address
    ? [`${address.firstName} ${address.lastName}`, address.company].filter(Boolean).join(', ')
    : (email ?? '–');
}

export const all = (lines: readonly PiecesLeft[]): Record<string, number> =>
  Object.fromEntries(lines.map(({ id, most }) => [id, most]));
export const none = (): Record<string, number> => ({});
