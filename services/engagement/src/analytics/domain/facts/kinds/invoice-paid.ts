import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({
  invoiceId: z.string(),
  currency: z.string(),
  total: z.int(),
  /** From its date on; null where nobody knows it. */
  days: z.number().nullable(),
});

const dayMs = 24 * 60 * 60_000;

/** Nothing of an invoice is owed any more. */
export const invoicePaid: FactKind<'invoice-paid', z.infer<typeof data>> = {
  name: 'invoice-paid',
  data,
  tellers: [
    toldBy(billingEvents.invoicePaid, ({ subject, data: { accountId, currency, total, paidAt, issuedAt } }) => ({
      at: new Date(paidAt),
      segment: 'trade',
      by: { userId: accountId },
      data: {
        invoiceId: subject,
        currency,
        total,
        days: issuedAt === undefined ? null : (Date.parse(paidAt) - Date.parse(issuedAt)) / dayMs,
      },
    })),
  ],
  countsOf: ({ data: { currency, total, days } }) => [
    { family: 'receivables', of: currency, measures: { paid: total }, ...(days !== null && { value: days }) },
  ],
  setsOf: () => [],
};
