import { product, share, spread, sum, type Exact } from '@storefront/money';

/** A line of an order; shipping is a line, too. Amounts are in minor units, without tax. */
export interface TaxedLine {
  readonly quantity: number;
  readonly unitPrice: number;
  /** In basis points: 1900 are 19 %. */
  readonly taxRate: number;
}

/**
 * The tax of an order in minor units, calculated as on invoices (EN 16931). The discount is spread over the lines in
 * proportion to their costs. Tax is rounded half up once for each tax rate, not for each line. Throws a RangeError
 * where the discount is more than the lines cost, or where a sum is no safe integer.
 */
export function taxOf(lines: readonly TaxedLine[], discount: number): number {
  const costs = lines.map(({ quantity, unitPrice }) => safe(product(quantity, unitPrice)));
  const discounts = spread(
    discount,
    costs.map((cost) => ({ weight: cost, atMost: cost })),
  );
  const bases = new Map<number, Exact>();
  for (const [at, { taxRate }] of lines.entries())
    bases.set(taxRate, sum([bases.get(taxRate) ?? 0, costs[at] ?? 0, -(discounts[at] ?? 0)]));
  return safe(sum(Array.from(bases, ([taxRate, base]) => share(safe(base), taxRate))));
}

function safe(amount: Exact): number {
  if (typeof amount === 'number') return amount;
  throw new RangeError(`${amount} is no amount in minor units`);
}
