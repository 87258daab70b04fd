import { billingErrors, billingEvents, fact, type Fact } from '@storefront/contracts';
import { entered, withInvoice, type Books } from '../../domain/books.ts';
import { balanceFacts, summaryOf } from '../../domain/invoice-facts.ts';
import type { Invoice } from '../../domain/invoice.ts';

/** Voids an invoice. Throws `invoice_not_voidable` if any part of the invoice was paid or credited. */
export function voidInvoice(
  before: Books,
  invoice: Invoice,
  reason: string | null,
  now: Date,
): { readonly books: Books; readonly invoice: Invoice; readonly facts: readonly Fact[] } {
  const { id, number, orderRef, payments, creditNotes } = invoice;
  if (payments.length > 0 || creditNotes.length > 0 || invoice.status === 'paid')
    throw billingErrors.invoiceNotVoidable();
  const after: Invoice = { ...invoice, status: 'void', voidedAt: now, nextStepAt: null };
  const books = entered(before, withInvoice(before, after), { kind: 'void', id, number }, now);
  const voided = fact(billingEvents.invoiceVoided, id, { ...summaryOf(after), orderRef, reason });
  const changes = balanceFacts({ before: before.invoices, after: books.invoices }, 'voided', now);
  return { books, invoice: after, facts: [voided, ...changes] };
}
