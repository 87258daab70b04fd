import { http, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** What engagement keeps about an active variant of a product. The prices are those that apply to it. */
export const pricedVariant = z.object({
  id: z.string(),
  sku: z.string(),
  /** One value of each of the product's options. */
  values: z.array(z.string()),
  price: http.money,
  tradePrice: http.money.nullable(),
  /** Prices of each unit for trade customers, from so many units on; the smallest number first. */
  quantityPrices: z.array(z.object({ from: z.int(), price: http.money })),
  /** How many units are in stock as counted, with what is reserved for orders. */
  stock: z.int(),
});
export type PricedVariant = StateOf<typeof pricedVariant>;
