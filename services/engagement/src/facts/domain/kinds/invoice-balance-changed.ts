import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy } from '../kind.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({ invoiceId: z.string(), currency: z.string(), dueOn: z.string(), delta: z.int() });

/** More or less is owed of an invoice. It counts for the day on which the invoice is due. */
export const invoiceBalanceChanged: FactKind<'invoice-balance-changed', z.infer<typeof data>> = {
  name: 'invoice-balance-changed',
  data,
  tellers: [
    toldBy(
      billingEvents.invoiceBalanceChanged,
      ({ subject, data: { accountId, currency, dueOn, delta, changedAt } }) => ({
        at: new Date(changedAt),
        segment: 'trade',
        by: { userId: accountId },
        data: { invoiceId: subject, currency, dueOn, delta },
      }),
    ),
  ],
  countsOf: ({ data: { currency, dueOn, delta } }) => [
    { family: 'receivables', of: currency, measures: { [`open:${dueOn}`]: delta } },
  ],
  setsOf: () => [],
};
