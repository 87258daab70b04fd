import type { Calendar, Day } from '@storefront/calendar';
import type { PageOf, Slice } from '@storefront/contracts';
import type { Loaded, Order } from '@storefront/mongo';
import { stillOwed, type Store } from '../../store/collections.ts';
import type { Invoice, InvoiceStatus } from '../../domain/invoice.ts';

/** Which invoices to list. `dueBefore` comes without `status`, `from` and `to`. */
export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined;
  /** Only invoices issued on this day or later. */
  readonly from?: Day | undefined;
  /** Only invoices issued before this day. */
  readonly to?: Day | undefined;
  /** Only invoices that are due before this day and still owed, the earliest due first. */
  readonly dueBefore?: Day | undefined;
  readonly number?: string | undefined;
}

export type DueInvoice = Pick<Invoice, 'id' | 'accountId'>;

export type InvoiceReads = ReturnType<typeof openInvoiceReads>;

const newestFirst: Order = { issuedAt: -1, _id: -1 };
const earliestDueFirst: Order = { dueOn: 1, _id: 1 };

/**
 * Reads invoices. `find`, and `page` where `accountId` is given, read only the invoices of that account, so an invoice of
 * another account is not found.
 */
export function openInvoiceReads({ invoices }: Pick<Store, 'invoices'>, calendar: Calendar) {
  return {
    page(accountId: string | undefined, filter: InvoiceFilter, slice: Slice): Promise<PageOf<Loaded<Invoice>>> {
      const { status, from, to, dueBefore, number } = filter;
      const all = accountId === undefined ? 'all_' : '';
      const by = dueBefore ? 'owed_by_due' : status ? 'by_status' : 'newest';
      return invoices.page({
        filter: {
          ...(accountId !== undefined && { accountId }),
          ...(status && { status }),
          ...((from ?? to) && {
            issuedAt: { ...(from && { $gte: calendar.startOf(from) }), ...(to && { $lt: calendar.startOf(to) }) },
          }),
          ...(dueBefore && { ...stillOwed, dueOn: { $lt: dueBefore } }),
          ...(number && { number }),
        },
        order: dueBefore ? earliestDueFirst : newestFirst,
        slice,
        hint: number ? 'by_number' : `${all}${by}`,
      });
    },

    find: (accountId: string, id: string): Promise<Loaded<Invoice> | null> => invoices.findOne({ _id: id, accountId }),

    /**
     * Invoices with a dunning step whose time has come: at most `limit`, the earliest step first, without the ids in
     * `but`.
     */
    async dueForDunning(now: Date, limit: number, but: readonly string[]): Promise<DueInvoice[]> {
      const found = await invoices.find(
        { nextStepAt: { $gt: new Date(0), $lte: now }, _id: { $nin: [...but] } },
        { order: { nextStepAt: 1, _id: 1 }, limit, hint: 'by_step', fields: ['accountId'] },
      );
      return found.map(({ state }) => state);
    },
  };
}
