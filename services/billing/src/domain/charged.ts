import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** What of an order is still charged, after parts of it were cancelled or refunded. */
export const charged = z.object({
  /** The pieces of each line, in the order in which `order-placed` states them. */
  quantities: z.array(z.int()),
  shipping: z.boolean(),
});
export type Charged = StateOf<typeof charged>;
