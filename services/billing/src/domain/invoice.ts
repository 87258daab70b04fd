import { billingHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { party } from './account.ts';

/**
 * How an invoice is taxed. `domestic` and `eu`: by the rates of its lines, in the seller's country, or elsewhere in the EU for a
 * buyer without a VAT number of that country. `reverse-charge`: the buyer owes the tax, elsewhere in the EU. `export`: no tax is
 * charged, as buyer or seller is outside the EU.
 */
const taxTreatment = z.enum(['domestic', 'eu', 'reverse-charge', 'export']);
export type TaxTreatment = z.infer<typeof taxTreatment>;

/** A line of an invoice or a credit note. Amounts are in minor units. */
const line = z.object({
  description: z.string(),
  sku: z.string().nullable(),
  /** With three decimals at most. */
  quantity: z.number(),
  unitPrice: z.int(),
  /** Deducted from the whole line. */
  discount: z.int(),
  /** In per cent, with two decimals at most; 0 where the buyer owes the tax, or none is due. */
  taxRate: z.number(),
  net: z.int(),
});
export type Line = StateOf<typeof line>;

/** The tax of all lines of one rate. */
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
  /** What it credits of each line of the invoice. */
  credits: z.array(z.object({ line: z.int(), quantity: z.number(), net: z.int() })),
});
export type CreditNote = StateOf<typeof creditNote>;

/** What money of a payment paid of an invoice. */
const paidBy = z.object({ paymentId: z.string(), amount: z.int(), at: z.date() });
export type PaidBy = StateOf<typeof paidBy>;

/** Something that is done about an unpaid invoice when its time has come. */
const step = z.object({
  /** `remind` sends the buyer a reminder; `overdue` marks the invoice; `hold` puts the account on hold. */
  kind: z.enum(['remind', 'overdue', 'hold']),
  /** So many days after the day on which it is due. */
  days: z.int(),
  at: z.date(),
  /** When it was done, or passed over as nothing was owed then. */
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
  /** Whether the treatment is `reverse-charge`. */
  reverseCharge: z.boolean(),
  amountPaid: z.int(),
  credited: z.int(),
  balance: z.int(),
  termsDays: z.int(),
  issuedAt: z.date(),
  issuedOn: z.iso.date(),
  /** The end of `dueOn`. */
  dueAt: z.date(),
  dueOn: z.iso.date(),
  paidAt: z.date().nullable(),
  voidedAt: z.date().nullable(),
  payments: z.array(paidBy),
  creditNotes: z.array(creditNote),
  steps: z.array(step),
  /** When the next step is to be done; null where none is. */
  nextStepAt: z.date().nullable(),
});
export type Invoice = StateOf<typeof invoice>;
export type InvoiceStatus = Invoice['status'];
