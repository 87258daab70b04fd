import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines, runs } from '../../../test/arbitrary.ts';
import { calendar, noon, shop, someBooks, withIssued } from '../../../test/states.ts';
import type { Books } from '../../domain/books.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { creditedOf, issueCreditNote, maxCreditNotes, type CreditedLine } from './issue-credit-note.ts';
import { grossOf, type GivenLine } from './sums.ts';

const line = (quantity: number, unitPrice: number, taxRate = 19, discount = 0): GivenLine => ({
  description: 'Tea',
  sku: null,
  quantity,
  unitPrice,
  discount,
  taxRate,
});

interface Issued {
  readonly books: Books;
  readonly invoice: Invoice;
}

const credit = ({ books, invoice }: Issued, requested: readonly CreditedLine[] | null): Issued =>
  issueCreditNote(
    books,
    invoice,
    { id: `cn_${invoice.creditNotes.length}`, lines: requested, reason: 'Damaged' },
    { number: `CN-2026-00000${invoice.creditNotes.length + 1}`, at: noon, shop, calendar },
  );

/** What of a line is not credited yet, in thousandths. */
function leftOf({ lines: all, creditNotes }: Invoice, at: number): number {
  const credited = creditNotes.flatMap(({ credits }) => credits).filter((each) => each.line === at);
  return [all[at], ...credited]
    .map((each) => Math.round((each?.quantity ?? 0) * 1000))
    .reduce((left, quantity) => left - quantity);
}

const isAnyLeft = (invoice: Invoice) => invoice.lines.some((_, at) => leftOf(invoice, at) > 0);

describe('a credit note', () => {
  it('for a part has its share of net, discount and tax', () => {
    const { invoice } = withIssued(someBooks(), [line(3, 1099, 19, 297)]);
    expect(creditedOf(invoice, [{ line: 0, quantity: 1 }])).toMatchObject({
      credits: [{ line: 0, quantity: 1, net: 1000 }],
      lines: [{ quantity: 1, unitPrice: 1099, discount: 99, net: 1000 }],
      taxes: [{ rate: 19, base: 1000, amount: 190 }],
      total: 1190,
    });
  });

  it('in parts comes to the invoice in the end, however it is cut', () => {
    const cuts = fc.array(fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(lines, cuts, (given, parts) => {
        let issued: Issued = withIssued(someBooks(), given);
        for (const part of parts) {
          const requested = given
            .map((_, at) => ({
              line: at,
              quantity: Math.floor((leftOf(issued.invoice, at) * (part[at] ?? 0)) / 1000) / 1000,
            }))
            .filter(({ quantity }) => quantity > 0);
          if (requested.length > 0) issued = credit(issued, requested);
        }
        // Where the parts were all of it, nothing is left.
        if (isAnyLeft(issued.invoice)) issued = credit(issued, null);
        const { invoice } = issued;
        expect(isAnyLeft(invoice)).toBe(false);
        expect(invoice.credited).toBe(invoice.total);
        expect(invoice.balance).toBe(0);
        for (const { rate, base, amount } of invoice.taxes) {
          const rows = invoice.creditNotes.flatMap(({ taxes }) => taxes).filter((row) => row.rate === rate);
          expect(rows.reduce((sum, row) => sum + row.base, 0)).toBe(base);
          expect(rows.reduce((sum, row) => sum + row.amount, 0)).toBe(amount);
        }
        for (const note of invoice.creditNotes)
          for (const one of note.lines) {
            expect(one.net).toBeGreaterThanOrEqual(0);
            expect(one.discount).toBeGreaterThanOrEqual(0);
            // Quantity by price less the discount, or one unit more by rounding.
            expect([0, 1]).toContain(one.net - (grossOf(one) - one.discount));
          }
      }),
      runs,
    );
  });

  it('is of lines that are there, and of no more than is left', () => {
    const issued = credit(withIssued(someBooks(), [line(3, 1000), line(0.3, 1000)]), [
      { line: 0, quantity: 1 },
      { line: 1, quantity: 0.1 },
    ]);
    const refusal = (requested: readonly CreditedLine[] | null, of: Issued = issued) => {
      try {
        creditedOf(of.invoice, requested);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refusal([{ line: 2, quantity: 1 }])).toMatchObject({
      code: 'validation_failed',
      fields: [{ pointer: '/lines/0/line', code: 'not_found' }],
    });
    expect(
      refusal([
        { line: 0, quantity: 2.001 },
        { line: 1, quantity: 0.201 },
      ]),
    ).toMatchObject({
      code: 'nothing_to_credit',
      fields: [
        { pointer: '/lines/0/quantity', message: 'must be at most 2' },
        { pointer: '/lines/1/quantity', message: 'must be at most 0.2' },
      ],
    });
    const all = credit(issued, null);
    expect(refusal(null, all)).toMatchObject({ code: 'nothing_to_credit' });
    expect(refusal(null, { ...all, invoice: { ...all.invoice, status: 'void' } })).toMatchObject({
      code: 'invoice_void',
    });
    const note = all.invoice.creditNotes[0];
    const creditNotes = Array.from({ length: maxCreditNotes }, () => note).flatMap((each) => each ?? []);
    expect(refusal(null, { ...all, invoice: { ...all.invoice, creditNotes } })).toMatchObject({
      code: 'too_many_credit_notes',
    });
  });
});
