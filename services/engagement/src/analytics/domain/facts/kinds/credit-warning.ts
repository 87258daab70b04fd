import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ currency: z.string(), limit: z.int(), outstanding: z.int() });

/** A trade account is near its limit. No report counts it. */
export const creditWarning: FactKind<'credit-warning', z.infer<typeof data>> = {
  name: 'credit-warning',
  data,
  tellers: [
    toldBy(billingEvents.creditWarning, ({ subject, time, data: { currency, limit, outstanding } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: subject },
      data: { currency, limit, outstanding },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
