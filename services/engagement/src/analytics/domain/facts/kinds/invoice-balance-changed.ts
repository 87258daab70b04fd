import { addDays } from '@storefront/calendar';
import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import { toldBy, type FactKind } from '../kind.ts';
import { ages } from '../owed.ts';

const data = z.object({ invoiceId: z.string(), currency: z.string(), dueOn: z.string(), delta: z.int() });

/** More or less is owed of an invoice: at once, and then of what is overdue, as the invoice grows older. */
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
  countsOf: ({ data: { currency, delta } }) => [owed(currency, 'open', delta)],
  laterCountsOf: ({ data: { currency, dueOn, delta } }) =>
    ages.map(({ days, measure }) => ({ from: addDays(dueOn, days), counts: [owed(currency, measure, delta)] })),
  setsOf: () => [],
};

function owed(currency: string, measure: string, delta: number): Count {
  return { family: 'receivables', of: currency, measures: { [measure]: delta } };
}
