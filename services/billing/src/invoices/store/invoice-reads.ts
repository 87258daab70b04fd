import type { Calendar, Day } from '@storefront/calendar';
import type { PageOf, Slice } from '@storefront/contracts';
import type { Loaded, Order } from '@storefront/mongo';
import type { Store } from '../../store/collections.ts';
import type { Invoice, InvoiceStatus } from '../../domain/invoice.ts';

/** Which invoices of an account to list. */
export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined;
  /** Only invoices issued on this day or later. */
  readonly from?: Day | undefined;
  /** Only invoices issued before this day. */
  readonly to?: Day | undefined;
}

export type DueInvoice = Pick<Invoice, 'id' | 'accountId'>;

export type InvoiceReads = ReturnType<typeof openInvoiceReads>;

const newestFirst: Order = { issuedAt: -1, _id: -1 };

/**
 * Reads invoices. `page` and `find` read only the invoices of one account, so an invoice of another account is not
 * found.
 */
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
