import { billingEvents } from '@storefront/contracts';
import type { z } from 'zod';
import { formatDay, formatPrice } from './formats.ts';
import type { MailBlock, MailContent, Shop } from './layout.ts';
import type { NewNotification } from './notification.ts';
import { greeting, paragraph, quotedReason } from './templates/phrases.ts';

/** A message to a trade account: a notification and, unless `mail` is null, a mail with the same words. */
interface AccountMessage {
  /** The title of the notification and the subject of the mail. */
  readonly title: string;
  readonly body: string;
  /** The data of the notification. */
  readonly data: NewNotification['data'];
  /** The part of the mail after `body`. */
  readonly mail: readonly MailBlock[] | null;
}

/** A notification to administrators. It names a person only by `tradeAccountId`, so that an erasure can find it. */
type AdministratorMessage = Pick<NewNotification, 'type' | 'title' | 'body' | 'data'>;

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
    shop: Shop,
  ) => MailContent;
};

/**
 * A row of the table in the type that its readers need. TypeScript can't check that an event's data fits its functions.
 */
export interface BillingMessage {
  readonly toAccount?: (data: never, shop: Shop) => AccountMessage;
  /** Makes the notification to administrators. `tradeAccountId` is null where the account was erased. */
  readonly toAdministrators?: (data: never, tradeAccountId: string | null) => AdministratorMessage;
}

/** The mails about events of billing, by template. */
export const billingMails = Object.fromEntries(
  Object.entries<BillingMessage>(billingMessages).flatMap(([template, { toAccount }]) =>
    toAccount ? [[template, (data: never, shop: Shop) => mailOf(data, toAccount(data, shop))]] : [],
  ),
) as MailTemplates;

function mailOf({ firstName }: { readonly firstName: string }, { title, body, mail }: AccountMessage): MailContent {
  return { subject: title, blocks: [greeting(firstName), paragraph(body), ...(mail ?? [])] };
}

function invoiceIssued(invoice: About<'invoice-issued'>, shop: Shop): AccountMessage {
  const { number, currency, total, balance, dueOn, document } = invoice;
  const whole = money(total, currency);
  const { reference, bank } = document;
  return {
    title: `Your invoice ${number}`,
    body: sentence(),
    data: dataOf(invoice),
    mail: [
      ...(reference === null ? [] : [paragraph(`Your reference: ${reference}`)]),
      paragraph('The invoice is attached as a PDF.'),
      ...(bank === null || balance === 0 ? [] : [transfer(bank, number)]),
      invoiceLink(invoice, shop),
    ],
  };

  function sentence(): string {
    if (balance === 0) return `Invoice ${number} over ${whole} is paid by the credit of your account.`;
    if (balance === total) return `Invoice ${number} over ${whole} is due on ${formatDay(dueOn)}.`;
    const [paid, remaining] = [money(total - balance, currency), money(balance, currency)];
    return `Invoice ${number} over ${whole}: the credit of your account has paid ${paid}. The rest, ${remaining}, is due on ${formatDay(dueOn)}.`;
  }
}

function invoiceReminded(invoice: About<'invoice-reminded'>, shop: Shop): AccountMessage {
  const { number, currency, balance, dueOn, days } = invoice;
  const [remaining, day] = [money(balance, currency), formatDay(dueOn)];
  const toBePaid = `Of invoice ${number}, ${remaining} is to be paid by ${day}.`;
  const words = {
    [-3]: { title: `Invoice ${number} is due on ${day}`, body: toBePaid },
    0: { title: `Invoice ${number} is due today`, body: toBePaid },
    7: {
      title: `Reminder: invoice ${number} is overdue`,
      body: `Invoice ${number} was due on ${day}, and ${remaining} of it is not paid. Please pay it now.`,
    },
    14: {
      title: `Second reminder: invoice ${number} is overdue`,
      body: `Invoice ${number} was due on ${day}, and ${remaining} of it is still not paid. Please pay it at once.`,
    },
  };
  return { ...words[days], data: dataOf(invoice), mail: [invoiceLink(invoice, shop), crossedPayment] };
}

function invoiceOverdue(invoice: About<'invoice-overdue'>, shop: Shop): AccountMessage {
  const { number, currency, balance, dueOn } = invoice;
  return {
    title: `Invoice ${number} is overdue`,
    body: `Invoice ${number} was due on ${formatDay(dueOn)}, and ${money(balance, currency)} of it is not paid.`,
    data: dataOf(invoice),
    mail: [invoiceLink(invoice, shop), crossedPayment],
  };
}

function invoicePaid(invoice: About<'invoice-paid'>, shop: Shop): AccountMessage {
  const { number, currency, total } = invoice;
  return {
    title: `Invoice ${number} is paid`,
    body: `Nothing of invoice ${number} over ${money(total, currency)} is owed any more.`,
    data: dataOf(invoice),
    mail: [paragraph('Thank you.'), invoiceLink(invoice, shop)],
  };
}

function invoiceVoided(invoice: About<'invoice-voided'>, shop: Shop): AccountMessage {
  const { number, currency, total, reason } = invoice;
  return {
    title: `Invoice ${number} is void`,
    body: `Invoice ${number} over ${money(total, currency)} was issued by mistake. Nothing of it is owed.`,
    data: dataOf(invoice),
    mail: [...quotedReason(reason), invoiceLink(invoice, shop)],
  };
}

function creditNoteIssued(invoice: About<'credit-note-issued'>, shop: Shop): AccountMessage {
  const { number, currency, balance, dueOn, document } = invoice;
  const remaining =
    balance === 0
      ? 'Nothing of the invoice is owed any more.'
      : `Of the invoice, ${money(balance, currency)} is left to be paid by ${formatDay(dueOn)}.`;
  return {
    title: `Credit note ${document.number} for invoice ${number}`,
    body: `Credit note ${document.number} takes ${money(document.total, currency)} off invoice ${number}. ${remaining}`,
    data: dataOf(invoice),
    mail: [
      ...quotedReason(document.reason),
      paragraph('The credit note is attached as a PDF.'),
      invoiceLink(invoice, shop),
    ],
  };
}

function paymentReceived(payment: About<'payment-received'>, shop: Shop): AccountMessage {
  const { id, currency, amount, allocations, credit } = payment;
  const paid = allocations.length > 0 ? ` It paid ${namesOf(allocations, currency)}.` : '';
  const remaining =
    credit > 0 ? ` ${money(credit, currency)} is credit of your account, which pays your next invoice.` : '';
  return {
    title: 'Your payment has arrived',
    body: `Your payment of ${money(amount, currency)} has arrived.${paid}${remaining}`,
    data: { paymentId: id },
    // Where the whole payment paid invoices, each paid invoice has a mail of its own, so no further mail is needed.
    mail: credit === 0 ? null : [invoicesLink(shop)],
  };
}

function paymentRefunded(payment: About<'payment-refunded'>, shop: Shop): AccountMessage {
  const { id, currency, amount, allocations, credit, kind } = payment;
  const whole = money(amount, currency);
  const owed = allocations.length > 0 ? ` This is owed again: ${namesOf(allocations, currency)}.` : '';
  const deducted = credit > 0 ? ` ${money(credit, currency)} was taken from the credit of your account.` : '';
  const words =
    kind === 'refund'
      ? { title: 'A payment was refunded', body: `${whole} of a payment was refunded to you.${owed}${deducted}` }
      : { title: 'A payment was disputed', body: `${whole} of a payment went back by a dispute.${owed}${deducted}` };
  return { ...words, data: { paymentId: id, kind }, mail: [invoicesLink(shop)] };
}

function paymentWentBack({ id, provider, currency, amount, kind }: About<'payment-refunded'>): AdministratorMessage {
  return {
    type: 'payment-went-back',
    title: kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
    body: `${money(amount, currency)} of a payment by ${provider} went back. What it had paid is owed again.`,
    data: { paymentId: id, kind },
  };
}

const unallocatedReasons: Readonly<Record<string, string>> = {
  other_currency: 'it is of another currency',
  unknown_invoice: 'there is no such invoice',
  unknown_payment: 'there is no such payment',
  invoice_void: 'its invoice is void',
  account_closed: 'its account is closed',
  indivisible_amount: 'its amount is no whole number of the units of its currency',
};

function paymentUnallocated(payment: About<'payment-unallocated'>): AdministratorMessage {
  const { id, provider, currency, amount, reason } = payment;
  const why = unallocatedReasons[reason] ?? reason;
  return {
    type: 'payment-unallocated',
    title: 'Money waits to be allocated',
    body: `${money(amount, currency)} came by ${provider} and paid nothing: ${why}.`,
    data: { paymentId: id, reason },
  };
}

function creditWarning({ currency, limit, outstanding }: About<'credit-warning'>, shop: Shop): AccountMessage {
  return {
    title: 'Your credit is nearly used up',
    body: `You owe ${money(outstanding, currency)} of your credit limit of ${money(limit, currency)}. An order beyond the limit is not invoiced.`,
    data: {},
    mail: [invoicesLink(shop)],
  };
}

function creditExceeded(exceeded: About<'credit-exceeded'>, shop: Shop): AccountMessage {
  return {
    title: 'An order was not invoiced',
    body: `Your order ${exceeded.orderRef} was not invoiced: ${whyNotInvoiced(exceeded)}.`,
    data: { orderRef: exceeded.orderRef },
    mail: [paragraph('Pay what is owed, or answer this mail if you have questions.'), invoicesLink(shop)],
  };
}

function orderBeyondCredit(exceeded: About<'credit-exceeded'>, tradeAccountId: string | null): AdministratorMessage {
  const { orderRef, reason } = exceeded;
  return {
    type: 'order-beyond-credit',
    title: 'An order was not invoiced',
    body: `Order ${orderRef} was not invoiced: ${whyNotInvoiced(exceeded)}.`,
    data: { ...(tradeAccountId !== null && { tradeAccountId }), orderRef, reason },
  };
}

const notInvoicedReasons: Readonly<Record<About<'order-not-invoiced'>['reason'], string>> = {
  'not-a-trade-account': 'who placed it has no trade account',
  'other-currency': 'it is of another currency',
  'no-lines': 'it has no lines',
  'too-many-lines': 'it has too many lines',
  'totals-differ': 'its lines do not add up to its total',
};

function orderNotInvoiced(
  { orderRef, reason }: About<'order-not-invoiced'>,
  tradeAccountId: string | null,
): AdministratorMessage {
  return {
    type: 'order-not-invoiced',
    title: 'An order can have no invoice',
    body: `Order ${orderRef} is on account but was not invoiced: ${notInvoicedReasons[reason]}.`,
    data: { ...(tradeAccountId !== null && { tradeAccountId }), orderRef, reason },
  };
}

/** Returns the end of a sentence that says why an order was not invoiced. */
function whyNotInvoiced({ currency, limit, outstanding, total, reason }: About<'credit-exceeded'>): string {
  if (reason === 'hold') return 'the account is on hold, as something is overdue or we have stopped its credit';
  const most = limit === null ? '' : ` of ${money(limit, currency)}`;
  return `its ${money(total, currency)} and the ${money(outstanding, currency)} that are owed are beyond the credit limit${most}`;
}

type Invoice = Pick<About<'invoice-overdue'>, 'id' | 'number' | 'balance'>;

const dataOf = ({ id, number }: Invoice) => ({ invoiceId: id, number });

const crossedPayment = paragraph('If you have paid it already, there is nothing to do.');

function transfer({ name, iban, bic }: NonNullable<billingEvents.InvoiceDocument['bank']>, number: string): MailBlock {
  const lines = [`To pay by bank transfer:`, name, `IBAN ${iban}`, ...(bic === null ? [] : [`BIC ${bic}`])];
  return paragraph([...lines, `Payment reference: ${number}`].join('\n'));
}

function invoiceLink({ id, balance }: Invoice, shop: Shop): MailBlock {
  const label = balance > 0 ? 'See and pay the invoice' : 'See the invoice';
  return { kind: 'link', label, url: `${shop.url}/invoices/${id}` };
}

function invoicesLink(shop: Shop): MailBlock {
  return { kind: 'link', label: 'See your invoices', url: `${shop.url}/invoices` };
}

const maxNamed = 5;

/**
 * Lists the invoices with their amounts. Where there are more than 5, lists the first 5 and how many more there are.
 */
function namesOf(allocations: About<'payment-received'>['allocations'], currency: string): string {
  const named = allocations.slice(0, maxNamed).map(({ number, amount }) => `${number} (${money(amount, currency)})`);
  const more = allocations.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Formats an amount in minor units for people. */
function money(amount: number, currency: string): string {
  return formatPrice({ amount, currency });
}
