import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines, runs } from '../../../test/arbitrary.ts';
import { calendar, noon, shop, someBooks, withIssued } from '../../../test/states.ts';
import type { Books } from '../../domain/books.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { creditedForOrder, creditedOf, maxCreditNotes, type Credited, type CreditedLine } from './credited.ts';
import { issueCreditNote } from './issue-credit-note.ts';
import { grossOf, taxOf, type GivenLine } from './sums.ts';

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

const credit = (issued: Issued, requested: readonly CreditedLine[] | null): Issued =>
  noted(issued, creditedOf(issued.invoice, requested));

const noted = ({ books, invoice }: Issued, credited: Credited): Issued =>
  issueCreditNote(
    books,
    invoice,
    { id: `cn_${invoice.creditNotes.length}`, reason: 'Damaged', ...credited },
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

describe('a credit note for an order', () => {
  /** What an order with these pieces costs, as the orders service works it out; the last line is shipping. */
  function costOf(given: readonly GivenLine[], quantities: readonly number[]): number {
    const bases = new Map<number, number>();
    for (const [at, { quantity, unitPrice, discount, taxRate }] of given.entries()) {
      const left = quantities[at] ?? 0;
      const net = unitPrice * left - Math.floor((2 * discount * left + quantity) / (2 * quantity));
      bases.set(taxRate, (bases.get(taxRate) ?? 0) + net);
    }
    return [...bases].reduce((sum, [rate, base]) => sum + base + taxOf(rate, base), 0);
  }

  const goods = fc
    .array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 9 }),
        unitPrice: fc.integer({ min: 0, max: 2000 }),
        cut: fc.nat(100),
        rate: fc.constantFrom(0, 7, 19, 25.5),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) =>
      all.map(({ quantity, unitPrice, cut, rate }) => {
        return line(quantity, unitPrice, rate, Math.floor((quantity * unitPrice * cut) / 100));
      }),
    );
  const step = fc.record({
    kind: fc.constantFrom('pieces' as const, 'shipping' as const, 'amount' as const, 'staff' as const),
    at: fc.nat(3),
    quantity: fc.integer({ min: 1, max: 4 }),
    amount: fc.integer({ min: 1, max: 500 }),
  });

  it('leaves what the order costs without what was cancelled and refunded, to the cent, and in the end nothing', () => {
    fc.assert(
      fc.property(goods, fc.integer({ min: 0, max: 900 }), fc.array(step, { maxLength: 8 }), (sold, freight, steps) => {
        const given = [...sold, line(1, freight, 19)];
        let issued: Issued = withIssued(someBooks(), given);
        const quantities = given.map(({ quantity }) => quantity);
        let [goodwill, due, areOnlyPieces] = [0, issued.invoice.total, true];
        for (const { kind, at, quantity, amount } of steps) {
          const { invoice } = issued;
          const place = at % sold.length;
          if (kind === 'staff') {
            const left = Math.min(quantity, leftOf(invoice, place) / 1000);
            if (left === 0 || invoice.total === invoice.credited) continue;
            issued = credit(issued, [{ line: place, quantity: left }]);
            areOnlyPieces = false;
            due = Math.min(due, issued.invoice.total - issued.invoice.credited);
          } else {
            if (kind === 'pieces') quantities[place] = Math.max(0, (quantities[place] ?? 0) - quantity);
            if (kind === 'shipping') quantities[sold.length] = 0;
            if (kind === 'amount') goodwill += amount;
            due = Math.min(due, Math.max(0, costOf(given, quantities) - goodwill));
            if (invoice.total - invoice.credited <= due) continue;
            const charged = { quantities: quantities.slice(0, -1), shipping: quantities.at(-1) === 1 };
            issued = noted(issued, creditedForOrder(invoice, { charged, due }));
          }
          expect(issued.invoice.total - issued.invoice.credited).toBe(due);
          areOnlyPieces &&= goodwill === 0;
          const { lines: credited = [], credits = [] } = issued.invoice.creditNotes.at(-1) ?? {};
          const ofPieces = areOnlyPieces ? credits : credited;
          expect(credited.map(({ net }) => net)).toEqual(ofPieces.map(({ net }) => net));
        }
        if (due > 0) issued = noted(issued, creditedForOrder(issued.invoice, { charged: null, due: 0 }));
        const { invoice } = issued;
        expect(invoice.balance).toBe(0);
        for (const { rate, base, amount } of invoice.taxes) {
          const rows = invoice.creditNotes.flatMap(({ taxes }) => taxes).filter((row) => row.rate === rate);
          expect(rows.reduce((sum, row) => sum + row.base, 0)).toBe(base);
          expect(rows.reduce((sum, row) => sum + row.amount, 0)).toBe(amount);
        }
        for (const note of invoice.creditNotes) {
          for (const one of note.lines) {
            expect(Math.min(one.net, one.discount)).toBeGreaterThanOrEqual(0);
            expect(one.net).toBe(grossOf(one) - one.discount);
          }
          expect(Math.min(...note.taxes.map(({ amount }) => amount), 0)).toBe(0);
        }
      }),
      runs,
    );
  });

  it('has the pieces that are not charged any more, with their tax, and amounts in lines of their own', () => {
    const issued: Issued = withIssued(someBooks(), [line(3, 1000, 19, 100), line(2, 500, 7), line(1, 490)]);
    const first = creditedForOrder(issued.invoice, { charged: { quantities: [2, 2], shipping: false }, due: 3370 });
    // 9.67 and 4.90 at 19 %: 2.77 of tax.
    expect(first).toMatchObject({
      lines: [
        { quantity: 1, unitPrice: 1000, discount: 33, net: 967 },
        { description: 'Tea', quantity: 1, unitPrice: 490, net: 490 },
      ],
      taxes: [{ rate: 19, base: 1457, amount: 277 }],
      total: 1734,
    });
    const after = noted(issued, first);
    const goodwill = creditedForOrder(after.invoice, { charged: { quantities: [2, 2], shipping: false }, due: 3000 });
    expect(goodwill.lines.map(({ description, taxRate }) => [description, taxRate])).toEqual([
      ['Price reduction', 19],
      ['Price reduction', 7],
    ]);
    expect([goodwill.credits, goodwill.total]).toEqual([[], 370]);
    const all = creditedForOrder(noted(after, goodwill).invoice, { charged: null, due: 0 });
    expect(all.lines.map(({ quantity, discount }) => [quantity, discount > 0])).toEqual([
      [2, true],
      [2, true],
    ]);
    expect(all.total).toBe(3000);
  });
});
