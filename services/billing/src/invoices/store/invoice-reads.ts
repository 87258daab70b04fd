import type { Calendar, Day } from '@storefront/calendar';
import type { PageOf, Slice } from '@storefront/contracts';
import type { Loaded, Order } from '@storefront/mongo';
import type { Store } from '../../store/collections.ts';
import type { Invoice, InvoiceStatus } from '../domain/invoice.ts';

/** Which of an account's invoices to list. */
export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined;
  /** Those issued on this day or later. */
  readonly from?: Day | undefined;
  /** Those issued before this day. */
  readonly to?: Day | undefined;
}

export type InvoiceReads = ReturnType<typeof openInvoiceReads>;

const newestFirst: Order = { issuedAt: -1, _id: -1 };

/** The invoices of one account at a time: those of another are not found. */
export function openInvoiceReads({ invoices }: Pick<Store, 'invoices'>, calendar: Calendar) {
  return {
    page: (accountId: string, { status, from, to }: InvoiceFilter, slice: Slice): Promise<PageOf<Loaded<Invoice>>> =>
      invoices.page({
        filter: {
          accountId,
          ...(status && { status }),
          ...((from ?? to) && {
            issuedAt: { ...(from && { $gte: calendar.startOf(from) }), ...(to && { $lt: calendar.startOf(to) }) },
          }),
        },
        order: newestFirst,
        slice,
        hint: status ? 'by_status' : 'newest',
      }),

    find: (accountId: string, id: string): Promise<Loaded<Invoice> | null> => invoices.findOne({ _id: id, accountId }),

    /** The balances of the account's invoices that are overdue. */
    async overdue(accountId: string): Promise<number> {
      const [found] = await invoices.collection
        .aggregate<{ sum: number }>(
          [
            { $match: { accountId, status: 'overdue' } },
            { $project: { _id: 0, balance: 1 } },
            { $group: { _id: null, sum: { $sum: '$balance' } } },
          ],
          { hint: 'by_due' },
        )
        .toArray();
      return found?.sum ?? 0;
    },
  };
}
