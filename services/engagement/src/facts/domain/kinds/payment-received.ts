import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy } from '../kind.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({ currency: z.string(), amount: z.int() });

/** Money came. No report counts it: what it changes of an invoice is told apart. */
export const paymentReceived: FactKind<'payment-received', z.infer<typeof data>> = {
  name: 'payment-received',
  data,
  tellers: [
    toldBy(billingEvents.paymentReceived, ({ time, data: { accountId, currency, amount } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: accountId === null ? null : { userId: accountId },
      data: { currency, amount },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
