import { product, spread, type Exact } from '@storefront/money';
import { totalsOf } from './totals.ts';

/** A line without a discount of its own. Amounts are in minor units, without tax. */
interface TaxedLine {
  readonly quantity: number;
  readonly unitPrice: number;
  /** In basis points: 1900 are 19 %. */
  readonly taxRate: number;
}

/**
 * The tax that comes on top of the lines and of shipping, in minor units, after a discount on all of them is spread in
 * proportion to what they cost. Throws a RangeError where the discount is more than they cost, or a sum is no safe integer.
 */
export function taxOnTop(lines: readonly TaxedLine[], shipping: Omit<TaxedLine, 'quantity'>, discount: number): number {
  const parts = [...lines, { ...shipping, quantity: 1 }];
  const costs = parts.map(({ quantity, unitPrice }) => exact(product(quantity, unitPrice)));
  const discounts = spread(
    discount,
    costs.map((cost) => ({ weight: cost, atMost: cost })),
  );
  const { tax } = totalsOf({
    taxIncluded: false,
    lines: lines.map((line, at) => ({ ...line, id: String(at), discount: discounts[at] ?? 0 })),
    shipping: { price: shipping.unitPrice, taxRate: shipping.taxRate, discount: discounts.at(-1) ?? 0 },
  });
  return tax;
}

function exact(amount: Exact): number {
  if (typeof amount === 'number') return amount;
  throw new RangeError(`${amount} is no amount in minor units`);
}
