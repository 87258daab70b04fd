import { catalogHttp, http, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** Prices for trade accounts by quantity, the smallest quantity first. */
export const quantityPrices = z.array(z.object({ from: z.int(), price: http.money }));

/**
 * How a product is sold. It is one field of the stored product, because lists read objects of up to 19 fields much faster
 * than larger ones.
 */
export const sellingState = z.object({
  taxClass: catalogHttp.taxClass,
  /** In grams. */
  weight: z.int().nullable(),
  quantityPrices,
  /** Products that an editor names. Some of them may be deleted. */
  relatedIds: z.array(z.string()),
  availableFrom: z.date().nullable(),
  backOrders: z.object({ allowed: z.boolean(), text: z.string().nullable() }),
  lowStockThreshold: z.int().nullable(),
});
export type Selling = StateOf<typeof sellingState>;

/** Divides the fields of a request into those that say how a product is sold, and all others. */
export function splitSelling<Input extends object>(
  input: Input,
): [selling: Pick<Input, keyof Input & keyof Selling>, others: Omit<Input, keyof Selling>] {
  const isSelling = ([name]: [string, unknown]) => Object.hasOwn(sellingState.shape, name);
  const entries = Object.entries(input);
  return [
    Object.fromEntries(entries.filter(isSelling)) as Pick<Input, keyof Input & keyof Selling>,
    Object.fromEntries(entries.filter((entry) => !isSelling(entry))) as Omit<Input, keyof Selling>,
  ];
}

/** Whether a stock has just fallen to the threshold or below it. */
export function hasFallenLow(
  { lowStockThreshold }: Pick<Selling, 'lowStockThreshold'>,
  was: number,
  is: number,
): boolean {
  return lowStockThreshold !== null && was > lowStockThreshold && is <= lowStockThreshold;
}
