import type { Calendar } from '@storefront/calendar';
import { billingEvents, fact, type Fact } from '@storefront/contracts';
import { credit, entered, type Books } from '../../domain/books.ts';
import type { Shop } from '../../domain/shop.ts';
import { balanceFacts, summaryOf } from '../../domain/invoice-facts.ts';
import type { CreditNote, Invoice } from '../../domain/invoice.ts';
import type { Credited } from './credited.ts';
import { creditNoteDocumentOf } from './document.ts';

/**
 * Issues the credit note. If more was paid than the remaining total, the excess becomes credit of the account. `before`
 * must contain all payments that paid the invoice.
 */
export function issueCreditNote(
  before: Books,
  invoice: Invoice,
  { id, reason, ...credited }: Pick<CreditNote, 'id' | 'reason'> & Credited,
  {
    number,
    at,
    shop,
    calendar,
  }: { readonly number: string; readonly at: Date; readonly shop: Shop; readonly calendar: Calendar },
): { readonly books: Books; readonly invoice: Invoice; readonly facts: readonly Fact[] } {
  const note: CreditNote = { id, number, issuedAt: at, issuedOn: calendar.dayOf(at), reason, ...credited };
  const freed = credit(before, invoice.id, [...invoice.creditNotes, note], at);
  const books = entered(before, freed, { kind: 'credit-note', id, number }, at);
  const after = books.invoices.get(invoice.id);
  if (!after) throw new Error(`${invoice.id} is not in the books`);
  const issued = fact(billingEvents.creditNoteIssued, invoice.id, {
    ...summaryOf(after),
    orderRef: after.orderRef,
    creditNoteId: id,
    document: creditNoteDocumentOf(after, note, shop.bank),
  });
  const changes = balanceFacts({ before: before.invoices, after: books.invoices }, 'credited', at);
  return { books, invoice: after, facts: [issued, ...changes] };
}
