import type { Calendar } from '@storefront/calendar';
import { notFound, type Actor } from '@storefront/contracts';
import type { BooksStore } from '../../store/books.ts';
import type { Shop } from '../../domain/shop.ts';
import type { Store } from '../../store/collections.ts';
import { auditOf } from '../../domain/invoice-facts.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { issueCreditNote as decide, type CreditNoteToIssue } from '../domain/issue-credit-note.ts';
import { numberOf, seriesOf } from '../domain/numbers.ts';
import type { Series } from '../store/series.ts';

interface Needs extends Pick<Store, 'invoices'> {
  readonly books: BooksStore;
  readonly series: Series;
  readonly shop: Shop;
  readonly calendar: Calendar;
  readonly now: () => Date;
}

/**
 * Credits an invoice or a part of it. If the note's id was used before, nothing is credited again and the current
 * invoice is returned. `expect` gets the invoice's version and throws if the client has seen another one. Also throws
 * the errors of `creditedOf`.
 */
export async function issueCreditNote(
  { books, series, invoices, shop, calendar, now }: Needs,
  admin: Actor,
  {
    invoiceId,
    note,
    expect,
  }: {
    readonly invoiceId: string;
    readonly note: CreditNoteToIssue;
    readonly expect: (version: number) => void;
  },
): Promise<{ readonly invoice: Invoice; readonly version: number }> {
  return books.transaction(async (transaction) => {
    const time = now();
    const name = seriesOf('CN', calendar.dayOf(time));
    const found = await invoices.load(invoiceId, transaction);
    if (!found) throw notFound('invoice');
    const { state, version } = found;
    if (state.creditNotes.some(({ id }) => id === note.id)) return { invoice: state, version };
    const before = await books.load(transaction, state.accountId, {
      invoiceIds: [invoiceId],
      paymentIds: state.payments.map(({ paymentId }) => paymentId),
    });
    if (!before || before.account.erasedAt !== null) throw notFound('invoice');
    expect(version);
    const { first, at } = await series.take(name, 1, time, transaction);
    const {
      books: after,
      invoice,
      facts,
    } = decide(before, state, note, {
      number: numberOf(name, first),
      at,
      shop,
      calendar,
    });
    const audit = auditOf(admin, 'credit-note-issued', invoice, {
      creditNote: numberOf(name, first),
      reason: note.reason,
    });
    const versions = await books.save(transaction, before, after, [...facts, audit]);
    return { invoice, version: versions.get(invoiceId) ?? version };
  });
}
