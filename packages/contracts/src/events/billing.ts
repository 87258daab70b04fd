import { z } from 'zod';
import { defineEvent } from '../event.ts';

const day = z.iso.date();
/** In minor units of `currency`. */
const amount = z.int();

const party = z.object({
  businessName: z.string(),
  address: z.string(),
  country: z.string(),
  vatNumber: z.string().nullable(),
});
export type DocumentParty = z.infer<typeof party>;

/** The content of an invoice or a credit note. Amounts are in minor units; tax rates are in per cent. */
const document = {
  number: z.string(),
  currency: z.string(),
  issuedAt: z.iso.datetime(),
  issuedOn: day.meta({ description: "In the shop's time zone." }),
  buyer: party,
  seller: party,
  /** The seller's bank account, to which the buyer pays; null if there is none. */
  bank: z.object({ name: z.string(), iban: z.string(), bic: z.string().nullable() }).nullable(),
  lines: z.array(
    z.object({
      description: z.string(),
      sku: z.string().nullable(),
      quantity: z.number(),
      unitPrice: amount,
      discount: amount,
      taxRate: z.number(),
      net: amount,
    }),
  ),
  taxes: z.array(z.object({ rate: z.number(), base: amount, amount })),
  taxTreatment: z.enum(['domestic', 'eu', 'reverse-charge', 'export']),
  reverseCharge: z.boolean(),
  subtotal: amount,
  tax: amount,
  total: amount,
};

const invoiceDocument = z.object({
  ...document,
  reference: z.string().nullable(),
  orderRef: z.string().nullable(),
  dueOn: day,
  termsDays: z.int(),
  isPrepaid: z.boolean().optional().meta({ description: 'It was paid with its order, by card.' }),
});
/** The whole content of an invoice. The PDF and the e-invoice are made only from this. */
export type InvoiceDocument = z.infer<typeof invoiceDocument>;

const creditNoteDocument = z.object({
  ...document,
  reason: z.string(),
  invoiceNumber: z.string(),
  invoiceIssuedOn: day,
});
/** The whole content of a credit note. */
export type CreditNoteDocument = z.infer<typeof creditNoteDocument>;

/** The data of the invoice after the change. The invoice is the event's subject; `accountId` is its trade account. */
const invoice = {
  accountId: z.string(),
  number: z.string(),
  currency: z.string(),
  total: amount,
  balance: amount,
  dueOn: day,
};

const orderRef = z.string().nullable().meta({ description: 'The order that it came from.' });

export const invoiceIssued = defineEvent(
  'billing.invoice-issued',
  'A trade account owes money for what it ordered.',
  z.object({ ...invoice, orderRef, document: invoiceDocument }),
);

export const invoicePaid = defineEvent(
  'billing.invoice-paid',
  'Something was paid for the invoice, and nothing of it is owed any more.',
  z.object({ ...invoice, paidAt: z.iso.datetime(), issuedAt: z.iso.datetime() }),
);

export const invoiceBalanceChanged = defineEvent(
  'billing.invoice-balance-changed',
  'More or less is owed of the invoice, whatever the reason. The changes of an invoice add up to its balance.',
  z.object({
    ...invoice,
    delta: z.int().meta({ description: 'Below 0 where less is owed than before.' }),
    reason: z.enum(['issued', 'paid', 'refunded', 'credited', 'voided']),
    changedAt: z.iso.datetime(),
  }),
);

export const invoiceOverdue = defineEvent(
  'billing.invoice-overdue',
  'The invoice was not paid on the day on which it was due.',
  z.object(invoice),
);

export const invoiceReminded = defineEvent(
  'billing.invoice-reminded',
  'The buyer is reminded of the invoice: so many days after the day on which it is due, or before it (below 0).',
  z.object({ ...invoice, days: z.union([z.literal(-3), z.literal(0), z.literal(7), z.literal(14)]) }),
);

export const invoiceVoided = defineEvent(
  'billing.invoice-voided',
  'The invoice does not count any more: it was issued by mistake.',
  z.object({ ...invoice, orderRef, reason: z.string().nullable() }),
);

export const creditNoteIssued = defineEvent(
  'billing.credit-note-issued',
  'The invoice that is the subject was credited, or a part of it.',
  z.object({ ...invoice, orderRef, creditNoteId: z.string(), document: creditNoteDocument }),
);

/** The data of the payment, which is the event's subject. */
const payment = {
  accountId: z.string().nullable().meta({ description: 'null for money that nobody is known to have paid.' }),
  provider: z.string(),
  currency: z.string(),
  amount,
};

const allocations = z.array(z.object({ invoiceId: z.string(), number: z.string(), amount }));

export const paymentReceived = defineEvent(
  'billing.payment-received',
  'A payment was received. `allocations` says which invoices it paid; the remaining amount is credit of the account.',
  z.object({ ...payment, allocations, credit: amount }),
);

export const paymentRefunded = defineEvent(
  'billing.payment-refunded',
  'A payment was taken back, by a refund or a dispute. `allocations` says which invoices are owed again; the remaining amount was taken from the credit of the account.',
  z.object({ ...payment, kind: z.enum(['refund', 'dispute']), allocations, credit: amount }),
);

export const paymentUnallocated = defineEvent(
  'billing.payment-unallocated',
  'Money came, and staff have to say what for.',
  z.object({ ...payment, reason: z.string() }),
);

/** The credit of the trade account, which is the event's subject. */
const credit = { currency: z.string(), limit: amount, outstanding: amount };

export const creditWarning = defineEvent(
  'billing.credit-warning',
  'The account owes 80 % of its limit or more. Published once, and again only after it owed less than 70 %.',
  z.object(credit),
);

export const creditExceeded = defineEvent(
  'billing.credit-exceeded',
  'An order of the account was not invoiced, as it is beyond the limit or the account is on hold.',
  z.object({
    currency: z.string(),
    limit: amount.nullable(),
    outstanding: amount,
    orderRef: z.string(),
    total: amount,
    reason: z.enum(['limit', 'hold']),
  }),
);

export const orderNotInvoiced = defineEvent(
  'billing.order-not-invoiced',
  'An order on account has no invoice, as it can have none: staff have to see to it. The subject is the account.',
  z.object({
    orderRef: z.string(),
    reason: z.enum(['not-a-trade-account', 'other-currency', 'no-lines', 'too-many-lines', 'totals-differ']),
  }),
);

export const callbackReceived = defineEvent(
  'billing.callback-received',
  'A callback of a payment provider is kept, and its work is to be done.',
  z.object({ provider: z.string() }),
);

/** What billing answers about an order, which is the event's subject. The answer to a repeated request is the same. */
export const paymentOpened = defineEvent(
  'billing.payment-opened',
  'The order can be paid at this address.',
  z.object({ paymentId: z.string(), redirectUrl: z.string() }),
);

export const paymentOpenFailed = defineEvent(
  'billing.payment-open-failed',
  'The provider opens no page for the order, and will not.',
  z.object({ paymentId: z.string(), reason: z.string() }),
);

export const creditReserved = defineEvent(
  'billing.credit-reserved',
  'The total of the order counts as owed by the trade account, until it is invoiced or the order is cancelled.',
  z.object({ paymentId: z.string() }),
);

export const creditRefused = defineEvent(
  'billing.credit-refused',
  'The trade account gets no credit for the order.',
  z.object({
    paymentId: z.string(),
    reason: z.enum(['limit', 'hold', 'closed']),
    available: amount.nullable().meta({ description: 'What it may still owe; null where there is no limit.' }),
  }),
);

export const paymentClosed = defineEvent(
  'billing.payment-closed',
  'Nothing is open any more on which the order could be paid. What came, or comes after it, is refunded once the order is cancelled.',
  z.object({ currency: z.string(), received: amount, refunded: amount }),
);

export const orderPaymentChanged = defineEvent(
  'billing.order-payment-changed',
  'Money of the order came or went back, or its invoice was credited or voided. All amounts are sums since its beginning.',
  z.object({
    currency: z.string(),
    received: amount,
    refunded: amount.meta({
      description: 'Of an order on account: what was credited of its invoice; all of it for a void one.',
    }),
    disputed: amount,
    refundsFailed: amount.meta({
      description: 'What is to be refunded and the provider refuses to refund: staff have to see to it.',
    }),
    state: z.enum(['open', 'failed', 'paid', 'refunded', 'disputed', 'on-account']),
  }),
);
