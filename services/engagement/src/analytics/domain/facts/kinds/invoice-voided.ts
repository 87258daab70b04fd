import { billingEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ invoiceId: z.string(), currency: z.string(), total: z.int() });

/** An invoice was issued by mistake. What is owed follows from the change of its balance; sales stay as they were told. */
export const invoiceVoided: FactKind<'invoice-voided', z.infer<typeof data>> = {
  name: 'invoice-voided',
  data,
  tellers: [
    toldBy(billingEvents.invoiceVoided, ({ subject, time, data: { accountId, currency, total } }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: accountId },
      data: { invoiceId: subject, currency, total },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
