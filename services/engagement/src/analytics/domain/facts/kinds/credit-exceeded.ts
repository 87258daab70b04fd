import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ currency: z.string(), total: z.int(), reason: z.enum(['limit', 'hold']) });

/** An order of a trade account was not invoiced. No report counts it. */
export const creditExceeded: FactKind<'credit-exceeded', z.infer<typeof data>> = {
  name: 'credit-exceeded',
  data,
  tellers: [
    toldBy(billingEvents.creditExceeded, ({ subject, time, data: { currency, total, reason } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: subject },
      data: { currency, total, reason },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
