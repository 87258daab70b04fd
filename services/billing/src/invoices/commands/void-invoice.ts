import { notFound, type Actor } from '@storefront/contracts';
import type { OrderCredit } from '../../orders/orders.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Store } from '../../store/collections.ts';
import { auditOf } from '../../domain/invoice-facts.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { voidInvoice as decide } from '../domain/void-invoice.ts';

interface Needs extends Pick<Store, 'invoices'> {
  readonly books: BooksStore;
  readonly orderCredit: Pick<OrderCredit, 'setCredited'>;
  readonly now: () => Date;
}

/**
 * Voids an invoice. An invoice that is already void stays unchanged. `expect` gets the invoice's version and throws if
 * the client has seen another one. Throws `invoice_not_voidable`.
 */
export async function voidInvoice(
  { books, invoices, orderCredit, now }: Needs,
  admin: Actor,
  requested: { readonly invoiceId: string; readonly reason: string | null; readonly expect: (version: number) => void },
): Promise<{ readonly invoice: Invoice; readonly version: number }> {
  const { invoiceId, reason, expect } = requested;
  return books.transaction(async (transaction) => {
    const found = await invoices.load(invoiceId, transaction);
    const before = found && (await books.load(transaction, found.state.accountId, { invoiceIds: [invoiceId] }));
    if (!before || before.account.erasedAt !== null) throw notFound('invoice');
    const { state, version } = found;
    if (state.status === 'void') return { invoice: state, version };
    expect(version);
    const { books: after, invoice, facts } = decide(before, state, reason, now());
    const versions = await books.save(transaction, before, after, [
      ...facts,
      auditOf(admin, 'invoice-voided', invoice, { reason }),
    ]);
    const { orderRef, total: credited } = invoice;
    if (orderRef !== null) await orderCredit.setCredited(orderRef, { credited, left: 0 }, transaction);
    return { invoice, version: versions.get(invoiceId) ?? version };
  });
}
