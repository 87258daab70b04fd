import { divideHalfUp, product, share, sum } from '@storefront/money';
import type { Line, Sums, TaxRow } from '../../domain/invoice.ts';

/** A line of a request, in minor units. */
export type GivenLine = Omit<Line, 'net'>;

/** The largest total of an invoice, and of its lines before their discounts; in minor units. */
export const maxTotal = 1_000_000_000_000;

const thousand = 1000;

/** Quantities have three decimals, which binary fractions do not hold: they are counted in thousandths. */
export function thousandthsOf(quantity: number): number {
  return Math.round(quantity * thousand);
}

/** Rates have two decimals, so that a hundredth of a per cent is the smallest part. */
function basisPointsOf(rate: number): number {
  return Math.round(rate * 100);
}

/** Quantity by price, half a unit rounded up. Throws a RangeError where it is no safe integer. */
export function grossOf({ quantity, unitPrice }: Pick<Line, 'quantity' | 'unitPrice'>): number {
  return divideHalfUp(product(thousandthsOf(quantity), unitPrice), thousand);
}

/** Whether the discount of the line is larger than quantity by price. */
export function isDiscountAbove(line: GivenLine): boolean {
  const exact = product(thousandthsOf(line.quantity), line.unitPrice);
  return product(line.discount, thousand) > exact && line.discount > grossOf(line);
}

/** Whether the total of the lines is larger than `maxTotal`. Below it every sum is exact. */
export function isTooLarge(lines: readonly GivenLine[]): boolean {
  const thousandths = sum(lines.map(({ quantity, unitPrice }) => product(thousandthsOf(quantity), unitPrice)));
  return thousandths > product(maxTotal, thousand) || sumsOf(lines).total > maxTotal;
}

/** The lines with their nets, and their sums. The discount of a line is not more than quantity by price. */
export function sumsOf(given: readonly GivenLine[]): Sums {
  return totalled(
    given.map((line) => ({ ...line, net: grossOf(line) - line.discount })),
    taxOf,
  );
}

/** The tax of all that is taxed at one rate: rounded once, and not for each line (EN 16931). */
export function taxOf(rate: number, base: number): number {
  return share(base, basisPointsOf(rate));
}

/** The sums of lines; `taxOfRate` returns the tax on the sum of the lines of one rate. */
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
