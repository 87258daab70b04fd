import { billingErrors, billingFields, invalidFields } from '@storefront/contracts';
import { divideHalfUp, product, spread } from '@storefront/money';
import type { Charged } from '../../domain/charged.ts';
import type { CreditNote, Invoice, Line, Sums, TaxRow } from '../../domain/invoice.ts';
import { grossOf, taxOf, taxWithin, thousandthsOf, totalled } from './sums.ts';

/** A line of the invoice to credit, or a part of its quantity. */
export interface CreditedLine {
  /** The index of the line, from 0. */
  readonly line: number;
  readonly quantity: number;
}

/** What a credit note credits. */
export type Credited = Pick<CreditNote, 'credits'> & Sums;

/** The largest number of credit notes that staff issue for an invoice, because all are stored in its document. */
export const maxCreditNotes = 100;

/**
 * Calculates the lines to credit and their sums; everything that is left where `requested` is null. Throws `invoice_void`,
 * `too_many_credit_notes` and `nothing_to_credit`, and `validation_failed` for lines that the invoice does not have.
 */
export function creditedOf(invoice: Invoice, requested: readonly CreditedLine[] | null): Credited {
  if (invoice.status === 'void') throw billingErrors.invoiceVoid();
  if (invoice.creditNotes.length >= maxCreditNotes) throw billingErrors.tooManyCreditNotes(maxCreditNotes);
  const before = creditedBefore(invoice);
  const chosen = requested ?? remainingOf(invoice, before);
  const unknown = chosen.flatMap(({ line }, at) => (line < invoice.lines.length ? [] : [billingFields.noSuchLine(at)]));
  if (unknown.length > 0) throw invalidFields(unknown);
  const beyond = chosen.flatMap(({ line, quantity }, at) => {
    const left = leftOf(invoice, before, line);
    return thousandthsOf(quantity) > left ? [billingFields.moreThanLeft(at, left / 1000)] : [];
  });
  if (beyond.length > 0) throw billingErrors.nothingToCredit().with({ fields: beyond });
  const left = invoice.total - invoice.credited;
  const cost = costOf(invoice, before) - costOf(invoice, withPieces(before, chosen));
  // Their price may have been credited before without them.
  if (left === 0 && (chosen.length === 0 || cost > 0)) throw billingErrors.nothingToCredit();
  return creditedDownTo(invoice, chosen, requested === null ? 0 : Math.max(0, left - cost));
}

/**
 * What a credit note credits of the invoice of an order, so that `due` is left: the pieces that are not charged any more, or
 * all for a cancelled order (`charged` is null). What was credited without pieces is taken off them; what goes back without
 * pieces is a line of its own.
 */
export function creditedForOrder(
  invoice: Invoice,
  { charged, due }: { readonly charged: Charged | null; readonly due: number },
): Credited {
  const before = creditedBefore(invoice);
  const kept = (line: number) => (charged === null ? 0 : keptOf(invoice, charged, line));
  const pieces = remainingOf(invoice, before)
    .map(({ line, quantity }) => ({ line, quantity: quantity - kept(line) }))
    .filter(({ quantity }) => quantity > 0);
  return creditedDownTo(invoice, pieces, due);
}

/** An invoice whose lines are not those of the order keeps all of them: only an amount is credited. */
function keptOf({ lines }: Invoice, { quantities, shipping }: Charged, at: number): number {
  const isOfOrder = lines.length === quantities.length || lines.length === quantities.length + 1;
  return isOfOrder ? (quantities[at] ?? (shipping ? 1 : 0)) : Infinity;
}

/**
 * Credits the chosen pieces, and leaves exactly `due` of the invoice's total.
 *
 * Net and tax are differences: what the invoice came to without the pieces that were credited before, less what it comes to
 * without these too. So the credit notes for a whole invoice add up exactly to its total and its taxes, however the
 * invoice was divided, and a part costs what it costs for the order system. Where more or less is to be left than that,
 * the rates have their shares of the difference.
 */
function creditedDownTo(invoice: Invoice, pieces: readonly CreditedLine[], due: number): Credited {
  const before = creditedBefore(invoice);
  const after = withPieces(before, pieces);
  const lines = pieces
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, quantity }) => ({ line, credited: creditedLine(invoice, line, quantity, before[line] ?? 0) }));

  const lefts = invoice.taxes.map((row) => leftAt(invoice, row));
  const costs = invoice.taxes.map((row) => costAt(invoice, row, after));
  const dues = fitted(costs.map(withTax), lefts.map(withTax), due);
  const rows = invoice.taxes.map(({ rate }, at) => {
    const [left, cost, keep] = [lefts[at] ?? none, costs[at] ?? none, dues[at] ?? 0];
    const gross = withTax(left) - keep;
    const less = left.amount - (keep === withTax(cost) ? cost.amount : taxWithin(rate, keep));
    // Rounding never makes a negative tax, nor a tax alone, as long as something is left.
    const amount = keep === 0 || (less >= 0 && less < gross) ? less : 0;
    return { rate, base: gross - amount, amount };
  });
  return {
    credits: lines.map(({ line, credited: { quantity, net } }) => ({ line, quantity, net })),
    ...totalled(
      withBases(
        lines.map(({ credited }) => credited),
        rows,
      ),
      (rate) => rows.find((row) => row.rate === rate)?.amount ?? 0,
    ),
  };
}

/**
 * A part of an invoice line. Its discount is quantity times price, less the net. With fractional quantities, rounding
 * may make the net one minor unit larger than quantity times price; the discount is then 0.
 */
function creditedLine(invoice: Invoice, at: number, quantity: number, before: number): Line {
  const line = invoice.lines[at];
  if (!line) throw new RangeError(`${invoice.id} has no line ${at}`);
  const net = netUpTo(line, before + thousandthsOf(quantity)) - netUpTo(line, before);
  return { ...line, quantity, discount: Math.max(0, grossOf({ ...line, quantity }) - net), net };
}

/** The net of the first so many thousandths of a line. */
function netUpTo({ quantity, net }: Line, thousandths: number): number {
  return divideHalfUp(product(net, thousandths), thousandthsOf(quantity));
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

/** The credited quantity of each line, in thousandths. */
function creditedBefore({ lines, creditNotes }: Invoice): readonly number[] {
  const credits = creditNotes.flatMap((note) => note.credits);
  return withPieces(
    lines.map(() => 0),
    credits,
  );
}

function withPieces(credited: readonly number[], pieces: readonly CreditedLine[]): readonly number[] {
  const sums = [...credited];
  for (const { line, quantity } of pieces) sums[line] = (sums[line] ?? 0) + thousandthsOf(quantity);
  return sums;
}

/** What of the invoice is not credited yet, at one rate. */
function leftAt({ creditNotes }: Invoice, { rate, base, amount }: TaxRow): TaxRow {
  const credited = creditNotes.flatMap(({ taxes }) => taxes).filter((row) => row.rate === rate);
  return {
    rate,
    base: credited.reduce((left, row) => left - row.base, base),
    amount: credited.reduce((left, row) => left - row.amount, amount),
  };
}

/** What the invoice comes to at one rate without the `credited` pieces of each line, in thousandths. */
function costAt({ lines }: Invoice, row: TaxRow, credited: readonly number[]): TaxRow {
  const { rate } = row;
  const base = lines.reduce(
    (sum, line, at) => (line.taxRate === rate ? sum + line.net - netUpTo(line, credited[at] ?? 0) : sum),
    0,
  );
  return { rate, base, amount: base === row.base ? row.amount : taxOnPart(row, base) };
}

/** The tax on a part of a row. A tax that the order system has rounded otherwise is divided as it is. */
function taxOnPart({ rate, base: all, amount }: TaxRow, base: number): number {
  return taxOf(rate, all) === amount ? taxOf(rate, base) : divideHalfUp(product(amount, base), all);
}

function costOf(invoice: Invoice, credited: readonly number[]): number {
  return invoice.taxes.reduce((sum, row) => sum + withTax(costAt(invoice, row, credited)), 0);
}

function withTax({ base, amount }: TaxRow): number {
  return base + amount;
}

/** The amounts, none above its `atMost`, lowered or raised so that they add up to `total`. */
function fitted(amounts: readonly number[], atMost: readonly number[], total: number): readonly number[] {
  const parts = amounts.map((amount, at) => ({ amount: Math.min(amount, atMost[at] ?? 0), atMost: atMost[at] ?? 0 }));
  const excess = parts.reduce((sum, { amount }) => sum + amount, -total);
  const room = parts.map((part) => (excess > 0 ? part.amount : part.atMost - part.amount));
  const changes = spread(
    Math.abs(excess),
    room.map((each) => ({ weight: each, atMost: each })),
  );
  return parts.map(({ amount }, at) => amount - Math.sign(excess) * (changes[at] ?? 0));
}

/** The lines with a net that adds up to the base of each rate: with more discount, or with a line for the rest. */
function withBases(lines: readonly Line[], rows: readonly TaxRow[]): readonly Line[] {
  const lessened = new Map<Line, number>();
  const rest = rows.flatMap(({ rate, base, amount }) => {
    const ofRate = lines.filter(({ taxRate }) => taxRate === rate);
    const net = ofRate.reduce((sum, line) => sum + line.net, 0);
    const less = spread(
      Math.max(0, net - base),
      ofRate.map((line) => ({ weight: line.net, atMost: line.net })),
    );
    for (const [at, line] of ofRate.entries()) lessened.set(line, less[at] ?? 0);
    const isCovered = base <= net && (ofRate.length > 0 || amount === 0);
    return isCovered ? [] : [{ ...reduction, unitPrice: base - net, taxRate: rate, net: base - net }];
  });
  const pieces = lines.map((line) => {
    const less = lessened.get(line) ?? 0;
    return { ...line, discount: line.discount + less, net: line.net - less };
  });
  return [...pieces, ...rest];
}

const none: TaxRow = { rate: 0, base: 0, amount: 0 };

const reduction = { description: 'Price reduction', sku: null, quantity: 1, discount: 0 };
