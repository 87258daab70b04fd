import type { Calendar } from '@storefront/calendar';
import { derivedId, type Fact } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import type { Shop } from '../../domain/shop.ts';
import type { OrderCredit } from '../../orders/orders.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Store } from '../../store/collections.ts';
import type { CreditNote, Invoice } from '../../domain/invoice.ts';
import { creditedForOrder, type Credited } from '../domain/credited.ts';
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

/**
 * Credits the invoice, as part of the transaction, down to what the shop may keep of its order. Returns null if no more than
 * that is left of it, or it is void, or of no order that billing knows.
 */
export async function creditedToItsOrder(
  needs: CreditingNeeds,
  transaction: Transaction,
  invoice: Invoice,
): Promise<Invoice | null> {
  const { orderRef } = invoice;
  if (orderRef === null || invoice.status === 'void') return null;
  const order = (await needs.orderCredit.find([orderRef], transaction)).get(orderRef);
  if (!order || (!order.isCancelled && order.charged === null)) return null;
  if (invoice.total - invoice.credited <= order.due) return null;
  const credited = await creditInvoice(needs, transaction, invoice, {
    id: derivedId('cn', invoice.id, `credit note ${invoice.creditNotes.length + 1}`),
    reason: order.isCancelled ? 'The order was cancelled.' : 'A part of the order was cancelled or refunded.',
    ...creditedForOrder(invoice, order.isCancelled ? { charged: null, due: 0 } : order),
  });
  return credited.invoice;
}
