import { http, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** What engagement keeps about an active variant of a product. The prices are those that apply to it. */
export const pricedVariant = z.object({
  id: z.string(),
  sku: z.string(),
  price: http.money,
  tradePrice: http.money.nullable(),
  /** Prices of each unit for trade customers, from so many units on; the smallest number first. */
  quantityPrices: z.array(z.object({ from: z.int(), price: http.money })),
  /** How many units are in stock. */
  stock: z.int(),
});
export type PricedVariant = StateOf<typeof pricedVariant>;

/** The price of a unit for somebody who buys `quantity` of them: for trade customers the lowest one that applies. */
export function unitPriceOf(
  { price, tradePrice, quantityPrices }: PricedVariant,
  segment: 'retail' | 'trade',
  quantity: number,
): http.Money {
  if (segment === 'retail') return price;
  const applying = quantityPrices.filter(({ from }) => from <= quantity).map((each) => each.price);
  return applying.reduce((lowest, each) => (each.amount < lowest.amount ? each : lowest), tradePrice ?? price);
}
