import { z } from 'zod';
import type { Count } from './count.ts';

/** What was sold. Amounts are in minor units of the currency. */
export const sale = z.object({
  units: z.number(),
  /** The amount before discounts. */
  gross: z.int(),
  discount: z.int(),
  net: z.int(),
});
export type Sale = z.infer<typeof sale>;

/**
 * Counts one order. `isKnown` says whether a later order of the same buyer could be recognized, which the share of
 * returning buyers needs.
 */
export function countSale(currency: string, { units, gross, discount, net }: Sale, isKnown: boolean): Count {
  const measures = { orders: 1, units, gross, discount, net, ...(isKnown && { known: 1 }) };
  return { family: 'sales', of: currency, measures };
}

/** Takes an order back that was counted before. Its buyer stays the buyer of an order. */
export function takeBackSale(currency: string, { units, gross, discount, net }: Sale): Count {
  const measures = { orders: -1, units: 0 - units, gross: 0 - gross, discount: 0 - discount, net: 0 - net };
  return { family: 'sales', of: currency, measures };
}
