import type { Calendar } from '@storefront/calendar';
import { billingErrors, billingEvents, billingFields, fact, invalidFields, type Fact } from '@storefront/contracts';
import { divideHalfUp, product } from '@storefront/money';
import { credit, entered, type Books } from '../../domain/books.ts';
import type { Shop } from '../../domain/shop.ts';
import { creditNoteDocumentOf } from './document.ts';
import { balanceFacts, summaryOf } from '../../domain/invoice-facts.ts';
import type { CreditNote, Invoice, Line, Sums } from '../../domain/invoice.ts';
import { grossOf, taxOf, thousandthsOf, totalled } from './sums.ts';

/** A line of the invoice to credit, or a part of its quantity. */
export interface CreditedLine {
  /** The index of the line, from 0. */
  readonly line: number;
  readonly quantity: number;
}

export interface CreditNoteToIssue {
  readonly id: string;
  /** The lines to credit; null to credit everything that is not credited yet. */
  readonly lines: readonly CreditedLine[] | null;
  readonly reason: string;
}

type Credited = Pick<CreditNote, 'credits'> & Sums;

/** The largest number of credit notes of an invoice. It is limited because all are stored in the invoice's document. */
export const maxCreditNotes = 100;

/**
 * Calculates the lines to credit and their sums. Throws `invoice_void`, `too_many_credit_notes` and
 * `nothing_to_credit`, and `validation_failed` for lines that the invoice does not have.
 *
 * Each net and tax amount is a difference: the rounded amount that is credited after this note, less the rounded amount
 * that was credited before it. So the credit notes for a whole invoice add up exactly to its total and its taxes,
 * however the invoice was divided.
 */
export function creditedOf(invoice: Invoice, requested: CreditNoteToIssue['lines']): Credited {
  if (invoice.status === 'void') throw billingErrors.invoiceVoid();
  if (invoice.creditNotes.length >= maxCreditNotes) throw billingErrors.tooManyCreditNotes(maxCreditNotes);
  const before = invoice.lines.map((_, line) => creditedThousandths(invoice, line));
  const chosen = requested ?? remainingOf(invoice, before);
  const unknown = chosen.flatMap(({ line }, at) => (line < invoice.lines.length ? [] : [billingFields.noSuchLine(at)]));
  if (unknown.length > 0) throw invalidFields(unknown);
  const beyond = chosen.flatMap(({ line, quantity }, at) => {
    const left = leftOf(invoice, before, line);
    return thousandthsOf(quantity) > left ? [billingFields.moreThanLeft(at, left / 1000)] : [];
  });
  if (beyond.length > 0 || chosen.length === 0) throw billingErrors.nothingToCredit().with({ fields: beyond });

  const lines = chosen
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, quantity }) => ({ line, credited: creditedLine(invoice, line, quantity, before[line] ?? 0) }));
  return {
    credits: lines.map(({ line, credited: { quantity, net } }) => ({ line, quantity, net })),
    ...totalled(
      lines.map(({ credited }) => credited),
      (rate, base) => {
        const earlier = creditedAt(invoice, rate);
        return taxOf(rate, earlier + base) - taxOf(rate, earlier);
      },
    ),
  };
}

/**
 * Issues the credit note. If more was paid than the remaining total, the excess becomes credit of the account. `before`
 * must contain all payments that paid the invoice.
 */
export function issueCreditNote(
  before: Books,
  invoice: Invoice,
  { id, lines, reason }: CreditNoteToIssue,
  {
    number,
    at,
    shop,
    calendar,
  }: { readonly number: string; readonly at: Date; readonly shop: Shop; readonly calendar: Calendar },
): { readonly books: Books; readonly invoice: Invoice; readonly facts: readonly Fact[] } {
  const note: CreditNote = {
    id,
    number,
    issuedAt: at,
    issuedOn: calendar.dayOf(at),
    reason,
    ...creditedOf(invoice, lines),
  };
  const freed = credit(before, invoice.id, [...invoice.creditNotes, note], at);
  const books = entered(before, freed, { kind: 'credit-note', id, number }, at);
  const after = books.invoices.get(invoice.id);
  if (!after) throw new Error(`${invoice.id} is not in the books`);
  const issued = fact(billingEvents.creditNoteIssued, invoice.id, {
    ...summaryOf(after),
    creditNoteId: id,
    document: creditNoteDocumentOf(after, note, shop.bank),
  });
  const changes = balanceFacts({ before: before.invoices, after: books.invoices }, 'credited', at);
  return { books, invoice: after, facts: [issued, ...changes] };
}

/**
 * A part of an invoice line. Its discount is quantity times price, less the net. With fractional quantities, rounding
 * may make the net one minor unit larger than quantity times price; the discount is then 0.
 */
function creditedLine(invoice: Invoice, at: number, quantity: number, before: number): Line {
  const line = invoice.lines[at];
  if (!line) throw new RangeError(`${invoice.id} has no line ${at}`);
  const all = thousandthsOf(line.quantity);
  const upTo = (thousandths: number) => divideHalfUp(product(line.net, thousandths), all);
  const net = upTo(before + thousandthsOf(quantity)) - upTo(before);
  return { ...line, quantity, discount: Math.max(0, grossOf({ ...line, quantity }) - net), net };
}

function remainingOf(invoice: Invoice, before: readonly number[]): readonly CreditedLine[] {
  return invoice.lines
    .map((_, line) => ({ line, quantity: leftOf(invoice, before, line) / 1000 }))
    .filter(({ quantity }) => quantity > 0);
}

/** The quantity of a line that is not credited yet, in thousandths. */
function leftOf(invoice: Invoice, before: readonly number[], line: number): number {
  return thousandthsOf(invoice.lines[line]?.quantity ?? 0) - (before[line] ?? 0);
}

function creditedThousandths({ creditNotes }: Invoice, line: number): number {
  return creditNotes
    .flatMap(({ credits }) => credits)
    .filter((each) => each.line === line)
    .reduce((total, { quantity }) => total + thousandthsOf(quantity), 0);
}

/** The net sum that is already credited for the lines of one tax rate. */
function creditedAt({ creditNotes }: Invoice, rate: number): number {
  return creditNotes
    .flatMap(({ taxes }) => taxes)
    .filter((each) => each.rate === rate)
    .reduce((total, { base }) => total + base, 0);
}
