import { divideHalfUp, product } from '@storefront/money';
import { totalsOf } from '../../domain/totals.ts';
import type { Order, OrderLine } from './order.ts';

type Charged = Pick<
  Order,
  'taxIncluded' | 'lines' | 'shipping' | 'isShippingRefunded' | 'goodwill' | 'payment' | 'totals'
>;

/** How many pieces of the line are still paid for: neither cancelled nor refunded. */
export function chargedOf({
  quantity,
  cancelled,
  refunded,
}: Pick<OrderLine, 'quantity' | 'cancelled' | 'refunded'>): number {
  // A piece that was refunded may be cancelled afterwards.
  return Math.max(0, quantity - cancelled - refunded);
}

/** What the shop may keep of the money of the order, in minor units: its total, less what was cancelled and refunded. */
export function keptOf(order: Charged): number {
  return Math.max(0, costOf(order) - order.goodwill);
}

/**
 * What the order costs without the pieces that are cancelled or refunded. What a part costs is the difference that it makes
 * here, so all parts together cost what the order has cost, to the cent. The discount of a line is spread over its pieces.
 */
export function costOf({ taxIncluded, lines, shipping, isShippingRefunded }: Charged): number {
  const charged = lines.map((line) => {
    const quantity = chargedOf(line);
    const discount = divideHalfUp(product(line.discount, quantity), line.quantity);
    return { id: line.id, unitPrice: line.reserved?.unitPrice ?? 0, quantity, discount, taxRate: line.taxRate };
  });
  const { price, discount, taxRate } = shipping;
  const transport = isShippingRefunded ? { price: 0, discount: 0, taxRate } : { price: price ?? 0, discount, taxRate };
  return totalsOf({ taxIncluded, lines: charged, shipping: transport }).total;
}
