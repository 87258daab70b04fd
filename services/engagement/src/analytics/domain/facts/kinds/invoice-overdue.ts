import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ invoiceId: z.string(), currency: z.string(), balance: z.int() });

/** An invoice was not paid on the day on which it was due. */
export const invoiceOverdue: FactKind<'invoice-overdue', z.infer<typeof data>> = {
  name: 'invoice-overdue',
  data,
  tellers: [
    toldBy(billingEvents.invoiceOverdue, ({ subject, time, data: { accountId, currency, balance } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: accountId },
      data: { invoiceId: subject, currency, balance },
    })),
  ],
  countsOf: ({ data: { currency, balance } }) => [
    { family: 'receivables', of: currency, measures: { overdue: balance } },
  ],
  setsOf: () => [],
};
