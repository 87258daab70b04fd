import type { Calendar } from '@storefront/calendar';
import { notFound, type Actor, type Fact } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import type { OrderCredit } from '../../orders/orders.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Shop } from '../../domain/shop.ts';
import type { Store } from '../../store/collections.ts';
import { auditOf } from '../../domain/invoice-facts.ts';
import type { CreditNote, Invoice } from '../../domain/invoice.ts';
import { creditedOf, type Credited, type CreditedLine } from '../domain/credited.ts';
import { issueCreditNote as decide } from '../domain/issue-credit-note.ts';
import { numberOf, seriesOf } from '../domain/numbers.ts';
import type { Series } from '../store/series.ts';

export interface CreditingNeeds extends Pick<Store, 'invoices'> {
  readonly books: BooksStore;
  readonly series: Series;
  readonly orderCredit: OrderCredit;
  readonly shop: Shop;
  readonly calendar: Calendar;
  readonly now: () => Date;
}

/**
 * Credits an invoice or a part of it for staff; everything that is left if no lines are given. If the note's id was used
 * before, nothing is credited again and the current invoice is returned. `expect` gets the invoice's version and throws if
 * the client has seen another one. Also throws the errors of `creditedOf`.
 */
export async function issueCreditNote(
  needs: CreditingNeeds,
  admin: Actor,
  {
    invoiceId,
    note: { id, lines, reason },
    expect,
  }: {
    readonly invoiceId: string;
    readonly note: { readonly id: string; readonly lines: readonly CreditedLine[] | null; readonly reason: string };
    readonly expect: (version: number) => void;
  },
): Promise<{ readonly invoice: Invoice; readonly version: number }> {
  const { books, invoices } = needs;
  return books.transaction(async (transaction) => {
    const found = await invoices.load(invoiceId, transaction);
    if (!found) throw notFound('invoice');
    const { state, version } = found;
    if (state.creditNotes.some((each) => each.id === id)) return { invoice: state, version };
    const account = await books.load(transaction, state.accountId, {});
    if (!account || account.account.erasedAt !== null) throw notFound('invoice');
    expect(version);
    const note = { id, reason, ...creditedOf(state, lines) };
    return await creditInvoice(needs, transaction, state, note, (invoice, creditNote) => [
      auditOf(admin, 'credit-note-issued', invoice, { creditNote, reason }),
    ]);
  });
}

/**
 * Issues the credit note as part of the transaction, under the next number, and tells its order. `auditOf` gets the invoice
 * after it and the number.
 */
export async function creditInvoice(
  { books, series, orderCredit, shop, calendar, now }: CreditingNeeds,
  transaction: Transaction,
  invoice: Invoice,
  note: Pick<CreditNote, 'id' | 'reason'> & Credited,
  auditsOf: (invoice: Invoice, number: string) => readonly Fact[] = () => [],
): Promise<{ readonly invoice: Invoice; readonly version: number }> {
  const { id, accountId, payments, orderRef } = invoice;
  const time = now();
  const name = seriesOf('CN', calendar.dayOf(time));
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  const before = await books.load(transaction, accountId, { invoiceIds: [id], paymentIds });
  if (!before) throw new Error(`${id} has no account`);
  const { first, at } = await series.take(name, 1, time, transaction);
  const number = numberOf(name, first);
  const { books: after, invoice: credited, facts } = decide(before, invoice, note, { number, at, shop, calendar });
  const versions = await books.save(transaction, before, after, [...facts, ...auditsOf(credited, number)]);
  if (orderRef !== null) {
    const sums = { credited: credited.credited, left: credited.total - credited.credited };
    await orderCredit.setCredited(orderRef, sums, transaction);
  }
  return { invoice: credited, version: versions.get(id) ?? 0 };
}
