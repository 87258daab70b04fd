import { z } from 'zod';
import type { Count } from './count.ts';

/** What was sold, in minor units of its currency. */
export const sale = z.object({
  units: z.number(),
  /** Before discounts. */
  gross: z.int(),
  discount: z.int(),
  net: z.int(),
});
export type Sale = z.infer<typeof sale>;

/** Counts one order. `isKnown`: of a buyer who can be known again, so that it could be of a returning one. */
export function countSale(currency: string, { units, gross, discount, net }: Sale, isKnown: boolean): Count {
  const measures = { orders: 1, units, gross, discount, net, ...(isKnown && { known: 1 }) };
  return { family: 'sales', of: currency, measures };
}
