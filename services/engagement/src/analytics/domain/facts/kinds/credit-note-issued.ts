import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ invoiceId: z.string(), currency: z.string(), credited: z.int() });

/** An invoice was credited, or a part of it. What is owed follows from the change of its balance; sales stay as they were told. */
export const creditNoteIssued: FactKind<'credit-note-issued', z.infer<typeof data>> = {
  name: 'credit-note-issued',
  data,
  tellers: [
    toldBy(billingEvents.creditNoteIssued, ({ subject, time, data: { accountId, currency, document } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: accountId },
      data: { invoiceId: subject, currency, credited: document.total },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
