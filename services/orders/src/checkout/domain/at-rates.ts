import type { Order } from './order.ts';

/** What an order costs at one tax rate, in minor units. */
export interface AtRate {
  /** In basis points: 1900 are 19 %. */
  readonly rate: number;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
  /** The part that shipping has of it, before its discount. */
  readonly shipping: number;
  /** What is taken off lines and shipping, as prices are: with tax where they contain it. */
  readonly discount: number;
}

/**
 * Divides what an order costs by its tax rates, the highest first: lines and shipping together. Each amount adds up to that
 * of the order's totals.
 */
export function atRates({
  lines,
  shipping,
  taxIncluded,
}: Pick<Order, 'lines' | 'shipping' | 'taxIncluded'>): readonly AtRate[] {
  const price = shipping.price ?? 0;
  const transport = {
    rate: shipping.taxRate,
    tax: shipping.tax,
    gross: price - shipping.discount + (taxIncluded ? 0 : shipping.tax),
    shipping: price,
    discount: shipping.discount,
  };
  const goods = lines.map(({ taxRate, tax, total, discount }) => {
    return { rate: taxRate, tax, gross: total, shipping: 0, discount };
  });
  const parts = price === 0 ? goods : [...goods, transport];
  return [...Map.groupBy(parts, ({ rate }) => rate)]
    .map(([rate, together]) => {
      const sumOf = (field: 'tax' | 'gross' | 'shipping' | 'discount') =>
        together.reduce((sum, part) => sum + part[field], 0);
      const [tax, gross] = [sumOf('tax'), sumOf('gross')];
      return { rate, net: gross - tax, tax, gross, shipping: sumOf('shipping'), discount: sumOf('discount') };
    })
    .toSorted((one, other) => other.rate - one.rate);
}
