import { divideHalfUp, product, share, sum } from '@storefront/money';
import type { Line, Sums, TaxRow } from '../../domain/invoice.ts';

/** A line of a request, in minor units. */
export type GivenLine = Omit<Line, 'net'>;

/** The largest total of an invoice, in minor units. The lines before their discounts may not add up to more either. */
export const maxTotal = 1_000_000_000_000;

const thousand = 1000;

/** The quantity in thousandths. Quantities have at most three decimals, which binary fractions can't store exactly. */
export function thousandthsOf(quantity: number): number {
  return Math.round(quantity * thousand);
}

/** The rate in hundredths of a per cent. Rates have at most two decimals, so this is always an integer. */
function basisPointsOf(rate: number): number {
  return Math.round(rate * 100);
}

/**
 * Quantity times price, rounded to minor units, half a unit up. Throws a RangeError if the result is not a safe
 * integer.
 */
export function grossOf({ quantity, unitPrice }: Pick<Line, 'quantity' | 'unitPrice'>): number {
  return divideHalfUp(product(thousandthsOf(quantity), unitPrice), thousand);
}

/** Whether the discount of the line is larger than quantity times price. */
export function isDiscountAbove(line: GivenLine): boolean {
  const exact = product(thousandthsOf(line.quantity), line.unitPrice);
  return product(line.discount, thousand) > exact && line.discount > grossOf(line);
}

/** Whether the lines add up to more than `maxTotal`. Up to `maxTotal` every sum is exact. */
export function isTooLarge(lines: readonly GivenLine[]): boolean {
  const thousandths = sum(lines.map(({ quantity, unitPrice }) => product(thousandthsOf(quantity), unitPrice)));
  return thousandths > product(maxTotal, thousand) || sumsOf(lines).total > maxTotal;
}

/**
 * Calculates the net of each line, and the sums of all lines. The discount of a line must not be more than quantity
 * times price.
 */
export function sumsOf(given: readonly GivenLine[]): Sums {
  return totalled(given.map(netted), taxOf);
}

/** The line with its net: quantity times price, less the discount. */
export function netted(line: GivenLine): Line {
  return { ...line, net: grossOf(line) - line.discount };
}

/** The tax on `base`, the sum of all lines with one rate. It is rounded once, not line by line (EN 16931). */
export function taxOf(rate: number, base: number): number {
  return share(base, basisPointsOf(rate));
}

/** The tax that is in `gross`: at 19 % it is 19/119 of it. */
export function taxWithin(rate: number, gross: number): number {
  return divideHalfUp(product(gross, basisPointsOf(rate)), 10_000 + basisPointsOf(rate));
}

/** Adds up the lines. `taxOfRate` returns the tax on the sum of all lines with one rate. */
export function totalled(lines: readonly Line[], taxOfRate: (rate: number, base: number) => number): Sums {
  const bases = new Map<number, number>();
  for (const { taxRate, net } of lines) bases.set(taxRate, (bases.get(taxRate) ?? 0) + net);
  const taxes: TaxRow[] = [...bases]
    .toSorted(([a], [b]) => b - a)
    .map(([rate, base]) => ({ rate, base, amount: taxOfRate(rate, base) }));
  const subtotal = lines.reduce((total, { net }) => total + net, 0);
  const tax = taxes.reduce((total, { amount }) => total + amount, 0);
  return { lines, taxes, subtotal, tax, total: subtotal + tax };
}
