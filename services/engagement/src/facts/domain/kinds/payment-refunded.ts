import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy } from '../kind.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({ currency: z.string(), amount: z.int() });

/** Money went back. No report counts it: what it changes of an invoice is told apart. */
export const paymentRefunded: FactKind<'payment-refunded', z.infer<typeof data>> = {
  name: 'payment-refunded',
  data,
  tellers: [
    toldBy(billingEvents.paymentRefunded, ({ time, data: { accountId, currency, amount } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: accountId === null ? null : { userId: accountId },
      data: { currency, amount },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
