import { billingEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { NotificationWords, Words, WordsInput } from './languages/language.ts';
import type { MailBlock, MailContent } from './layout.ts';
import type { NewNotification } from './notification.ts';
import { compose, quotedReason, wordsOf, type Writing } from './templates/compose.ts';

/** A message to a trade account: a notification and, unless `isMailed` is false, a mail with the same words. */
interface AccountMessage {
  readonly words: Words;
  /** The data of the notification. */
  readonly data: NewNotification['data'];
  readonly isMailed: boolean;
  /** The main thing of the mail. */
  readonly main: readonly MailBlock[];
  /** Where the button of the mail leads. */
  readonly path: string;
}

/** A notification to administrators. It names a person only by `tradeAccountId`, so that an erasure can find it. */
type AdministratorMessage = NotificationWords & Pick<NewNotification, 'type' | 'data'>;

type BillingEvent = (typeof billingEvents)[keyof typeof billingEvents];
/** The data of the event `billing.<Name>`, with the id of its invoice, payment or account. */
type About<Name extends string> = z.output<Extract<BillingEvent, { type: `billing.${Name}` }>['data']> & {
  readonly id: string;
};

/**
 * The messages that each event of billing causes. The name of an event is also the type of the account's notification
 * and the template of its mail.
 */
export const billingMessages = {
  'invoice-issued': { event: billingEvents.invoiceIssued, toAccount: invoiceIssued },
  'invoice-reminded': { event: billingEvents.invoiceReminded, toAccount: invoiceReminded },
  'invoice-overdue': { event: billingEvents.invoiceOverdue, toAccount: invoiceOverdue },
  'invoice-paid': { event: billingEvents.invoicePaid, toAccount: invoicePaid },
  'invoice-voided': { event: billingEvents.invoiceVoided, toAccount: invoiceVoided },
  'credit-note-issued': { event: billingEvents.creditNoteIssued, toAccount: creditNoteIssued },
  'payment-received': { event: billingEvents.paymentReceived, toAccount: paymentReceived },
  'payment-refunded': {
    event: billingEvents.paymentRefunded,
    toAccount: paymentRefunded,
    toAdministrators: paymentWentBack,
  },
  'payment-unallocated': { event: billingEvents.paymentUnallocated, toAdministrators: paymentUnallocated },
  'credit-warning': { event: billingEvents.creditWarning, toAccount: creditWarning },
  'credit-exceeded': {
    event: billingEvents.creditExceeded,
    toAccount: creditExceeded,
    toAdministrators: orderBeyondCredit,
  },
  'order-not-invoiced': { event: billingEvents.orderNotInvoiced, toAdministrators: orderNotInvoiced },
};

type Messages = typeof billingMessages;
type MailTemplates = {
  [Name in keyof Messages as Messages[Name] extends { toAccount: unknown } ? Name : never]: (
    data: About<Name> & { readonly firstName: string },
    writing: Writing,
  ) => MailContent;
};

/**
 * A row of the table in the type that its readers need. TypeScript can't check that an event's data fits its functions.
 */
export interface BillingMessage {
  readonly toAccount?: (data: never, writing: Writing) => AccountMessage;
  /** Makes the notification to administrators. `tradeAccountId` is null where the account was erased. */
  readonly toAdministrators?: (data: never, writing: Writing, tradeAccountId: string | null) => AdministratorMessage;
}

/** The mails about events of billing, by template. */
export const billingMails = Object.fromEntries(
  Object.entries<BillingMessage>(billingMessages).flatMap(([template, { toAccount }]) =>
    toAccount ? [[template, (data: never, writing: Writing) => mailOf(writing, data, toAccount(data, writing))]] : [],
  ),
) as MailTemplates;

function mailOf(
  writing: Writing,
  { firstName }: { readonly firstName: string },
  { words, main, path }: AccountMessage,
): MailContent {
  return compose(writing, words, { firstName, main, path });
}

function invoiceIssued(invoice: About<'invoice-issued'>, writing: Writing): AccountMessage {
  const { currency, total, balance, document, number } = invoice;
  const { reference, orderRef, bank, isPrepaid = false } = document;
  const paidByCredit = balance === total ? null : moneyOf(writing, total - balance, currency);
  const { figures } = writing.language;
  return aboutInvoice(
    invoice,
    wordsOf(writing, 'invoice-issued', { ...inputOf(invoice, writing), paidByCredit, isPrepaid }),
    [
      figuresOf([
        ...figuresOfInvoice(invoice, writing),
        [figures.reference, reference],
        [figures.orderRef, orderRef],
        ...(bank === null || balance === 0
          ? []
          : ([
              [figures.bank, bank.name],
              ['IBAN', inGroups(bank.iban)],
              ['BIC', bank.bic],
              [figures.paymentReference, number],
            ] as const)),
      ]),
    ],
  );
}

function invoiceReminded(invoice: About<'invoice-reminded'>, writing: Writing): AccountMessage {
  const words = wordsOf(writing, 'invoice-reminded', { ...inputOf(invoice, writing), days: invoice.days });
  return aboutInvoice(invoice, words, [figuresOf(figuresOfInvoice(invoice, writing))]);
}

function invoiceOverdue(invoice: About<'invoice-overdue'>, writing: Writing): AccountMessage {
  const words = wordsOf(writing, 'invoice-overdue', inputOf(invoice, writing));
  return aboutInvoice(invoice, words, [figuresOf(figuresOfInvoice(invoice, writing))]);
}

function invoicePaid(invoice: About<'invoice-paid'>, writing: Writing): AccountMessage {
  const message = aboutInvoice(invoice, wordsOf(writing, 'invoice-paid', inputOf(invoice, writing)));
  // The mail about an invoice that was paid from the beginning says so already.
  return { ...message, isMailed: invoice.paidAt !== invoice.issuedAt };
}

function invoiceVoided(invoice: About<'invoice-voided'>, writing: Writing): AccountMessage {
  const words = wordsOf(writing, 'invoice-voided', inputOf(invoice, writing));
  return aboutInvoice(invoice, words, quotedReason(writing, invoice.reason));
}

function creditNoteIssued(invoice: About<'credit-note-issued'>, writing: Writing): AccountMessage {
  const { document, currency } = invoice;
  const credited = moneyOf(writing, document.total, currency);
  const input = { ...inputOf(invoice, writing), creditNote: document.number, credited };
  return aboutInvoice(invoice, wordsOf(writing, 'credit-note-issued', input), quotedReason(writing, document.reason));
}

function paymentReceived(payment: About<'payment-received'>, writing: Writing): AccountMessage {
  return {
    words: wordsOf(writing, 'payment-received', paymentInput(payment, writing)),
    data: { paymentId: payment.id },
    // Where the whole payment paid invoices, each paid invoice has a mail of its own, so no further mail is needed.
    isMailed: payment.credit !== 0,
    main: [],
    path: '/invoices',
  };
}

function paymentRefunded(payment: About<'payment-refunded'>, writing: Writing): AccountMessage {
  const { id, kind } = payment;
  const words = wordsOf(writing, 'payment-refunded', { ...paymentInput(payment, writing), kind });
  return { words, data: { paymentId: id, kind }, isMailed: true, main: [], path: '/invoices' };
}

function paymentWentBack(payment: About<'payment-refunded'>, writing: Writing): AdministratorMessage {
  const { id, provider, currency, amount, kind } = payment;
  const input = { amount: moneyOf(writing, amount, currency), provider, kind };
  const words = writing.language.toAdministrators.paymentWentBack(input);
  return { type: 'payment-went-back', ...words, data: { paymentId: id, kind } };
}

function paymentUnallocated(payment: About<'payment-unallocated'>, writing: Writing): AdministratorMessage {
  const { id, provider, currency, amount, reason } = payment;
  const input = { amount: moneyOf(writing, amount, currency), provider, reason };
  const words = writing.language.toAdministrators.paymentUnallocated(input);
  return { type: 'payment-unallocated', ...words, data: { paymentId: id, reason } };
}

function creditWarning(credit: About<'credit-warning'>, writing: Writing): AccountMessage {
  const [limit, outstanding] = [
    moneyOf(writing, credit.limit, credit.currency),
    moneyOf(writing, credit.outstanding, credit.currency),
  ];
  const { figures } = writing.language;
  return {
    words: wordsOf(writing, 'credit-warning', { limit, outstanding }),
    data: {},
    isMailed: true,
    main: [
      figuresOf([
        [figures.creditLimit, limit],
        [figures.outstanding, outstanding],
      ]),
    ],
    path: '/invoices',
  };
}

function creditExceeded(exceeded: About<'credit-exceeded'>, writing: Writing): AccountMessage {
  return {
    words: wordsOf(writing, 'credit-exceeded', exceededInput(exceeded, writing)),
    data: { orderRef: exceeded.orderRef },
    isMailed: true,
    main: [],
    path: '/invoices',
  };
}

function orderBeyondCredit(
  exceeded: About<'credit-exceeded'>,
  writing: Writing,
  tradeAccountId: string | null,
): AdministratorMessage {
  const { orderRef, reason } = exceeded;
  return {
    type: 'order-beyond-credit',
    ...writing.language.toAdministrators.orderBeyondCredit(exceededInput(exceeded, writing)),
    data: { ...(tradeAccountId !== null && { tradeAccountId }), orderRef, reason },
  };
}

function orderNotInvoiced(
  { orderRef, reason }: About<'order-not-invoiced'>,
  { language }: Writing,
  tradeAccountId: string | null,
): AdministratorMessage {
  return {
    type: 'order-not-invoiced',
    ...language.toAdministrators.orderNotInvoiced({ orderRef, reason }),
    data: { ...(tradeAccountId !== null && { tradeAccountId }), orderRef, reason },
  };
}

type Invoice = Pick<About<'invoice-overdue'>, 'id' | 'number' | 'currency' | 'total' | 'balance' | 'dueOn'>;

function aboutInvoice({ id, number }: Invoice, words: Words, main: readonly MailBlock[] = []): AccountMessage {
  return { words, data: { invoiceId: id, number }, isMailed: true, main, path: `/invoices/${id}` };
}

function inputOf(
  { number, currency, total, balance, dueOn }: Invoice,
  writing: Writing,
): WordsInput['invoice-overdue'] {
  return {
    number,
    total: moneyOf(writing, total, currency),
    owed: balance === 0 ? null : moneyOf(writing, balance, currency),
    dueOn: writing.formats.day(dueOn),
  };
}

type Row = readonly [name: string, value: string | null];

function figuresOfInvoice(invoice: Invoice, writing: Writing): Row[] {
  const { number, total, owed, dueOn } = inputOf(invoice, writing);
  const { figures } = writing.language;
  return [
    [figures.invoice, number],
    [figures.total, total],
    [figures.owed, owed],
    [figures.dueOn, owed === null ? null : dueOn],
  ];
}

/** An IBAN as it is printed, which lines can break. */
function inGroups(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ');
}

/** The rows that have a value. */
function figuresOf(rows: readonly Row[]): MailBlock {
  return { kind: 'figures', rows: rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])) };
}

const maxNamed = 5;

function paymentInput(
  {
    amount,
    currency,
    allocations,
    credit,
  }: Pick<About<'payment-received'>, 'amount' | 'currency' | 'allocations' | 'credit'>,
  writing: Writing,
): WordsInput['payment-received'] {
  const named = allocations.slice(0, maxNamed);
  return {
    amount: moneyOf(writing, amount, currency),
    invoices: {
      named: named.map((each) => `${each.number} (${moneyOf(writing, each.amount, currency)})`),
      more: allocations.length - named.length,
    },
    credit: credit === 0 ? null : moneyOf(writing, credit, currency),
  };
}

function exceededInput(exceeded: About<'credit-exceeded'>, writing: Writing): WordsInput['credit-exceeded'] {
  const { currency, limit, outstanding, total, orderRef, reason } = exceeded;
  return {
    orderRef,
    reason,
    limit: limit === null ? null : moneyOf(writing, limit, currency),
    outstanding: moneyOf(writing, outstanding, currency),
    total: moneyOf(writing, total, currency),
  };
}

/** Formats an amount in minor units for the reader. */
function moneyOf({ formats }: Writing, amount: number, currency: string): string {
  return formats.money({ amount, currency });
}
