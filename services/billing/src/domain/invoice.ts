import { billingHttp, notFound, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { party } from './account.ts';

/**
 * How an invoice is taxed. `domestic`: buyer and seller are in the same country, and the rates of the lines apply.
 * `eu`: the buyer is in another EU country and has no VAT number of that country; the rates of the lines apply.
 * `reverse-charge`: the buyer is in another EU country and owes the tax. `export`: buyer or seller is outside the EU,
 * and no tax is charged.
 */
const taxTreatment = z.enum(['domestic', 'eu', 'reverse-charge', 'export']);
export type TaxTreatment = z.infer<typeof taxTreatment>;

/** A line of an invoice or a credit note. Amounts are in minor units. */
const line = z.object({
  description: z.string(),
  sku: z.string().nullable(),
  /** At most three decimals. */
  quantity: z.number(),
  unitPrice: z.int(),
  /** Deducted from the whole line, not from each unit. */
  discount: z.int(),
  /** In per cent, at most two decimals; 0 if the buyer owes the tax or no tax is due. */
  taxRate: z.number(),
  net: z.int(),
});
export type Line = StateOf<typeof line>;

/** The tax of all lines with the same rate. */
const taxRow = z.object({ rate: z.number(), base: z.int(), amount: z.int() });
export type TaxRow = StateOf<typeof taxRow>;

const sums = z.object({
  lines: z.array(line),
  taxes: z.array(taxRow),
  subtotal: z.int(),
  tax: z.int(),
  total: z.int(),
});
export type Sums = StateOf<typeof sums>;

const creditNote = z.object({
  id: z.string(),
  number: z.string(),
  issuedAt: z.date(),
  issuedOn: z.iso.date(),
  reason: z.string(),
  ...sums.shape,
  /** The credited part of each line of the invoice. */
  credits: z.array(z.object({ line: z.int(), quantity: z.number(), net: z.int() })),
});
export type CreditNote = StateOf<typeof creditNote>;

/** The amount that a payment paid for an invoice. */
const paidBy = z.object({ paymentId: z.string(), amount: z.int(), at: z.date() });
export type PaidBy = StateOf<typeof paidBy>;

/** A step of dunning: something that happens at a set time while an invoice is unpaid. */
const step = z.object({
  /** `remind` sends the buyer a reminder; `overdue` marks the invoice; `hold` puts the account on hold. */
  kind: z.enum(['remind', 'overdue', 'hold']),
  /** Days after the due day; below 0 for days before it. */
  days: z.int(),
  at: z.date(),
  /** When the step was done, or skipped because nothing was owed at that time. */
  doneAt: z.date().nullable(),
});
export type Step = StateOf<typeof step>;

/** Amounts are in minor units of `currency`. */
export const invoice = z.object({
  id: z.string(),
  number: z.string(),
  accountId: z.string(),
  status: billingHttp.invoiceStatus,
  currency: z.string(),
  buyer: party,
  seller: party,
  reference: z.string().nullable(),
  orderRef: z.string().nullable(),
  ...sums.shape,
  taxTreatment,
  /** True if `taxTreatment` is `reverse-charge`. */
  reverseCharge: z.boolean(),
  /** True if it was paid with its order, by card. The payments of the order are outside the books of the account. */
  isPrepaid: z.boolean(),
  amountPaid: z.int(),
  credited: z.int(),
  balance: z.int(),
  termsDays: z.int(),
  issuedAt: z.date(),
  issuedOn: z.iso.date(),
  /** The end of the day `dueOn`. */
  dueAt: z.date(),
  dueOn: z.iso.date(),
  paidAt: z.date().nullable(),
  voidedAt: z.date().nullable(),
  payments: z.array(paidBy),
  creditNotes: z.array(creditNote),
  steps: z.array(step),
  /** When the next dunning step is due; null if no step is left. */
  nextStepAt: z.date().nullable(),
});
export type Invoice = StateOf<typeof invoice>;
export type InvoiceStatus = Invoice['status'];

/** Returns a credit note of the invoice. Throws `not_found` if the invoice has no such note. */
export function creditNoteOf({ creditNotes }: Invoice, id: string): CreditNote {
  const found = creditNotes.find((note) => note.id === id);
  if (!found) throw notFound('credit note');
  return found;
}
