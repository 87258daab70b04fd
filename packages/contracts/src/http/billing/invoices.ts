import { z } from 'zod';
import { billingErrors } from '../../errors/billing.ts';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { created, line, money, page, pageQuery, reason, text, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

/** The largest number of lines of an invoice. */
export const maxInvoiceLines = 200;

const calendarDay = z.iso.date().meta({ format: 'date', examples: ['2026-11-21'] });
const taxRate = z
  .number()
  .min(0)
  .max(100)
  .refine((rate) => hasDecimals(rate, 2), { error: 'must have two decimals at most' })
  .meta({ description: 'In per cent.', examples: [19] });
const quantity = z
  .number()
  .positive()
  .max(1_000_000)
  .refine((value) => hasDecimals(value, 3), { error: 'must have three decimals at most' })
  .meta({ description: 'With three decimals at most.', examples: [3] });

/** Whether the number has at most this many decimals. */
function hasDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}

export const invoiceStatus = z.enum(['open', 'paid', 'overdue', 'void']);
export type InvoiceStatus = z.infer<typeof invoiceStatus>;

/** A business as it is printed on a document. */
export const party = z
  .object({
    businessName: z.string(),
    address: z.string().meta({ description: 'In several lines.' }),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.', examples: ['DE'] }),
    vatNumber: z.string().nullable(),
  })
  .meta({ id: 'Party' });

const documentLine = z
  .object({
    description: z.string(),
    sku: z.string().nullable(),
    quantity: z.number(),
    unitPrice: money.meta({ description: 'Without tax.' }),
    discount: money.meta({ description: 'Taken off the whole line.' }),
    taxRate: z.number().meta({ description: 'In per cent.' }),
    net: money.meta({ description: 'Quantity by price, less the discount; without tax.' }),
  })
  .meta({ id: 'InvoiceLine' });

const taxRow = z
  .object({
    rate: z.number().meta({ description: 'In per cent.' }),
    base: money,
    amount: money.meta({ description: 'Rounded for the rate, not for each line (EN 16931).' }),
  })
  .meta({ id: 'InvoiceTax' });

const sums = {
  lines: z.array(documentLine),
  taxes: z.array(taxRow).meta({ description: 'A row for each rate.' }),
  subtotal: money.meta({ description: 'Without tax.' }),
  tax: money,
  total: money,
};

export const creditNote = z
  .object({
    id: idSchema('cn'),
    number: z.string().meta({ examples: ['CN-2026-000001'] }),
    issuedAt: timestamp,
    issuedOn: calendarDay,
    reason: z.string(),
    ...sums,
  })
  .meta({ id: 'CreditNote' });
export type CreditNoteBody = z.infer<typeof creditNote>;

export const creditNoteOfInvoice = creditNote
  .extend({ invoiceId: idSchema('inv'), accountId: idSchema('user') })
  .meta({ id: 'CreditNoteOfInvoice', description: 'A credit note by itself. It never changes.' });

export const invoice = z
  .object({
    id: idSchema('inv'),
    number: z.string().meta({ examples: ['INV-2026-000123'] }),
    accountId: idSchema('user'),
    status: invoiceStatus,
    buyer: party.meta({ description: 'As it was on the day of issue.' }),
    seller: party.meta({ description: 'As it was on the day of issue.' }),
    reference: z.string().nullable().meta({ description: "The buyer's order number." }),
    orderRef: z.string().nullable().meta({ description: 'The order that it came from.' }),
    ...sums,
    taxTreatment: z.enum(['domestic', 'eu', 'reverse-charge', 'export']).meta({
      description:
        '`domestic` and `eu`: by the rates of the lines, for a buyer in the country of the seller, or elsewhere in the EU without a ' +
        'VAT number of there. `reverse-charge`: the buyer owes the tax, elsewhere in the EU. `export`: no tax, as the buyer or the ' +
        'seller is outside of the EU.',
    }),
    reverseCharge: z.boolean().meta({ description: 'The buyer owes the tax, in another country of the EU.' }),
    amountPaid: money,
    credited: money.meta({ description: 'By credit notes.' }),
    balance: money.meta({ description: 'What is still owed.' }),
    termsDays: z.int(),
    issuedAt: timestamp,
    issuedOn: calendarDay.meta({ description: "The day of issue in the shop's time zone." }),
    dueAt: timestamp.meta({ description: "The end of the day on which it is due, in the shop's time zone." }),
    dueOn: calendarDay.meta({ description: "The day on which it is due, in the shop's time zone." }),
    paidAt: timestamp.nullable(),
    voidedAt: timestamp.nullable(),
    payments: z.array(z.object({ paymentId: idSchema('pay'), amount: money, at: timestamp })),
    creditNotes: z.array(creditNote),
  })
  .meta({ id: 'Invoice' });
export type InvoiceBody = z.infer<typeof invoice>;

export const invoicePage = page(invoice).meta({ id: 'InvoicePage' });

const givenLine = z.strictObject({
  description: line(200).meta({ examples: ['Assam, 1 kg'] }),
  sku: line(64)
    .optional()
    .meta({ examples: ['TEA-1'] }),
  quantity,
  unitPrice: money.meta({ description: 'Without tax.' }),
  discount: money.optional().meta({ description: 'Taken off the whole line; not more than the line.' }),
  taxRate,
});

export const invoiceToIssue = z
  .strictObject({
    accountId: idSchema('user'),
    lines: z.array(givenLine).min(1).max(maxInvoiceLines),
    termsDays: z.int().min(0).max(90).optional().meta({ description: "The account's own where it is left out." }),
    reference: line(100)
      .optional()
      .meta({ description: "The buyer's order number.", examples: ['PO-7781'] }),
    orderRef: line(100)
      .optional()
      .meta({ description: 'The order; it gets one invoice.', examples: ['order-1042'] }),
  })
  .meta({
    id: 'InvoiceToIssue',
    examples: [
      {
        accountId: 'user_01h455vb4pex5vsknk084sn02q',
        lines: [
          {
            description: 'Assam, 1 kg',
            sku: 'TEA-1',
            quantity: 3,
            unitPrice: { amount: 1099, currency: 'EUR' },
            taxRate: 19,
          },
        ],
        termsDays: 30,
      },
    ],
  });
export type InvoiceToIssue = z.output<typeof invoiceToIssue>;

export const creditNoteToIssue = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          line: z
            .int()
            .min(0)
            .max(maxInvoiceLines - 1)
            .meta({ description: 'The line of the invoice, counted from 0.', examples: [0] }),
          quantity,
        }),
      )
      .min(1)
      .max(maxInvoiceLines)
      .refine((lines) => new Set(lines.map((one) => one.line)).size === lines.length, {
        error: 'must not name a line twice',
      })
      .optional()
      .meta({ description: 'All that is left of all lines where it is left out.' }),
    reason: text(500).meta({ description: 'It stands on the credit note.', examples: ['Damaged on the way'] }),
  })
  .meta({ id: 'CreditNoteToIssue', examples: [{ lines: [{ line: 0, quantity: 1 }], reason: 'Damaged on the way' }] });
export type CreditNoteToIssue = z.output<typeof creditNoteToIssue>;

const invoiceParams = z.strictObject({ id: idSchema('inv') });
const creditNoteParams = z.strictObject({ id: idSchema('inv'), creditNoteId: idSchema('cn') });
const accountInvoiceParams = z.strictObject({ id: idSchema('user'), invoiceId: idSchema('inv') });
const accountCreditNoteParams = accountInvoiceParams.extend({ creditNoteId: idSchema('cn') });

const invoiceFilters = {
  ...pageQuery,
  status: invoiceStatus.optional().meta({ description: 'Only those of this status.', examples: ['open'] }),
  from: calendarDay.optional().meta({ description: 'Only those issued on this day or later.' }),
  to: calendarDay.optional().meta({ description: 'Only those issued before this day.' }),
  dueBefore: calendarDay.optional().meta({
    description:
      'Only those that are due before this day and still owed, the earliest due first. Without `status`, `from` and `to`.',
  }),
  number: line(40)
    .optional()
    .meta({ description: 'Only the one with this number.', examples: ['INV-2026-000123'] }),
};
const isOneOrder = (query: { dueBefore?: unknown; status?: unknown; from?: unknown; to?: unknown }) =>
  query.dueBefore === undefined || (query.status ?? query.from ?? query.to) === undefined;
const oneOrder = { path: ['dueBefore'], error: 'must not be stated with status, from or to' };

export const accountInvoiceQuery = z.strictObject(invoiceFilters).refine(isOneOrder, oneOrder);
export const invoiceQuery = z
  .strictObject({
    ...invoiceFilters,
    account: idSchema('user').optional().meta({ description: 'Only those of this account. Only staff may state it.' }),
  })
  .refine(isOneOrder, oneOrder);
export type InvoiceQuery = z.output<typeof invoiceQuery>;

const pdf = (what: string) => ({ description: what, contentType: 'application/pdf' });
const xml = (what: string) => ({ description: what, contentType: 'application/xml' });

const tags = ['invoices'];
const accountTags = ['invoices of accounts'];

export const invoiceOperations = operationsOf(
  operation({
    id: 'listInvoices',
    method: 'GET',
    path: '/v1/invoices',
    access: 'user',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags,
    summary: 'List invoices',
    description:
      'Newest first; those of the calling trade account, all for staff. Those of erased accounts are left out, so a page for staff may ' +
      'have fewer than `limit`, with a next one all the same.',
    query: invoiceQuery,
    responses: { 200: invoicePage },
    errors: [commonErrors.tradeAccountRequired, commonErrors.roleRequired],
  }),
  operation({
    id: 'getInvoice',
    method: 'GET',
    path: '/v1/invoices/{id}',
    access: 'trade',
    versioned: true,
    tags,
    summary: 'Read an invoice',
    description: 'With its payments and credit notes. One of another account looks absent.',
    params: invoiceParams,
    responses: { 200: invoice },
  }),
  operation({
    id: 'getInvoicePdf',
    method: 'GET',
    path: '/v1/invoices/{id}/pdf',
    access: 'trade',
    tags,
    summary: 'Read an invoice as a PDF',
    description: 'PDF/A, with a QR code for the transfer where the currency is EUR.',
    params: invoiceParams,
    responses: { 200: pdf('The invoice.') },
  }),
  operation({
    id: 'getInvoiceXml',
    method: 'GET',
    path: '/v1/invoices/{id}/xml',
    access: 'trade',
    tags,
    summary: 'Read an invoice as an e-invoice',
    description: 'EN 16931 in UBL.',
    params: invoiceParams,
    responses: { 200: xml('The e-invoice.') },
  }),
  operation({
    id: 'getCreditNotePdf',
    method: 'GET',
    path: '/v1/invoices/{id}/credit-notes/{creditNoteId}/pdf',
    access: 'trade',
    tags,
    summary: 'Read a credit note as a PDF',
    description: 'PDF/A, as the invoice that it credits.',
    params: creditNoteParams,
    responses: { 200: pdf('The credit note.') },
  }),
  operation({
    id: 'getCreditNoteXml',
    method: 'GET',
    path: '/v1/invoices/{id}/credit-notes/{creditNoteId}/xml',
    access: 'trade',
    tags,
    summary: 'Read a credit note as an e-invoice',
    description: 'EN 16931 in UBL.',
    params: creditNoteParams,
    responses: { 200: xml('The e-invoice.') },
  }),
  operation({
    id: 'issueInvoice',
    method: 'POST',
    path: '/v1/invoices',
    access: 'staff',
    roles: ['sales'],
    scope: 'billing:write',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Issue an invoice',
    description:
      'Prices are without tax. An invoice that is issued never changes: a credit note corrects it. Credit of the account pays ' +
      'it at once, as far as it goes.',
    body: invoiceToIssue,
    responses: { 201: created(invoice) },
    errors: [
      billingErrors.accountClosed,
      billingErrors.accountOnHold,
      billingErrors.creditExceeded,
      billingErrors.orderAlreadyInvoiced,
    ],
  }),
  operation({
    id: 'issueCreditNote',
    method: 'POST',
    path: '/v1/invoices/{id}/credit-notes',
    access: 'staff',
    roles: ['sales'],
    scope: 'billing:write',
    idempotent: true,
    tags,
    summary: 'Credit an invoice, or a part of it',
    description: 'What was paid beyond the remaining amount becomes credit of the account.',
    params: invoiceParams,
    body: creditNoteToIssue,
    responses: { 201: created(creditNoteOfInvoice) },
    errors: [billingErrors.invoiceVoid, billingErrors.nothingToCredit, billingErrors.tooManyCreditNotes],
  }),
  operation({
    id: 'voidInvoice',
    method: 'POST',
    path: '/v1/invoices/{id}/void',
    access: 'staff',
    roles: ['sales'],
    scope: 'billing:write',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Void an invoice',
    description: 'Only while nothing was paid and nothing credited. One that is void already stays so.',
    params: invoiceParams,
    body: z.strictObject({ reason: reason.optional() }).meta({ id: 'InvoiceToVoid', examples: [{ reason: 'Twice' }] }),
    responses: { 200: invoice },
    errors: [billingErrors.invoiceNotVoidable],
  }),
  operation({
    id: 'listAccountInvoices',
    method: 'GET',
    path: '/v1/trade-accounts/{id}/invoices',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags: accountTags,
    summary: 'List the invoices of a trade account',
    description: 'Newest first.',
    params: z.strictObject({ id: idSchema('user') }),
    query: accountInvoiceQuery,
    responses: { 200: invoicePage },
  }),
  operation({
    id: 'getAccountInvoice',
    method: 'GET',
    path: '/v1/trade-accounts/{id}/invoices/{invoiceId}',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    versioned: true,
    tags: accountTags,
    summary: 'Read an invoice of a trade account',
    description: 'With its payments and credit notes.',
    params: accountInvoiceParams,
    responses: { 200: invoice },
  }),
  operation({
    id: 'getAccountInvoicePdf',
    method: 'GET',
    path: '/v1/trade-accounts/{id}/invoices/{invoiceId}/pdf',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags: accountTags,
    summary: 'Read an invoice of a trade account as a PDF',
    description: 'The same document as the account gets.',
    params: accountInvoiceParams,
    responses: { 200: pdf('The invoice.') },
  }),
  operation({
    id: 'getAccountCreditNote',
    method: 'GET',
    path: '/v1/trade-accounts/{id}/invoices/{invoiceId}/credit-notes/{creditNoteId}',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags: accountTags,
    summary: 'Read a credit note of a trade account',
    description: 'As its issue answered it.',
    params: accountCreditNoteParams,
    responses: { 200: creditNoteOfInvoice },
  }),
  operation({
    id: 'getAccountCreditNotePdf',
    method: 'GET',
    path: '/v1/trade-accounts/{id}/invoices/{invoiceId}/credit-notes/{creditNoteId}/pdf',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags: accountTags,
    summary: 'Read a credit note of a trade account as a PDF',
    description: 'The same document as the account gets.',
    params: accountCreditNoteParams,
    responses: { 200: pdf('The credit note.') },
  }),
);
