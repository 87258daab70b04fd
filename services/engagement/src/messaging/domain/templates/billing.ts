import type { billingEvents } from '@storefront/contracts';
import {
  creditedNews,
  creditExceededNews,
  creditWarningNews,
  issuedNews,
  overdueNews,
  paidNews,
  receivedNews,
  refundedNews,
  remindedNews,
  voidedNews,
  type BilledInvoice,
  type CreditUse,
  type ExceededCredit,
  type MovedMoney,
  type News,
  type ReminderDays,
} from '../billing-news.ts';
import type { MailBlock, MailContent, Shop } from '../layout.ts';
import { greeting, paragraph, quotedReason } from './phrases.ts';

interface Reader {
  readonly firstName: string;
}

export interface AboutInvoice extends Reader {
  readonly invoiceId: string;
  readonly invoice: BilledInvoice;
}

export function invoiceIssued(
  data: AboutInvoice & { document: billingEvents.InvoiceDocument },
  shop: Shop,
): MailContent {
  const { reference, bank } = data.document;
  const { number, balance } = data.invoice;
  return mailOf(data, issuedNews(data.invoice), [
    ...(reference === null ? [] : [paragraph(`Your reference: ${reference}`)]),
    paragraph('The invoice is attached as a PDF.'),
    ...(bank === null || balance === 0 ? [] : [transfer(bank, number)]),
    invoiceLink(data, shop, balance > 0),
  ]);
}

export function invoiceReminded(data: AboutInvoice & { days: ReminderDays }, shop: Shop): MailContent {
  return mailOf(data, remindedNews(data.invoice, data.days), [invoiceLink(data, shop, true), crossedPayment]);
}

export function invoiceOverdue(data: AboutInvoice, shop: Shop): MailContent {
  return mailOf(data, overdueNews(data.invoice), [invoiceLink(data, shop, true), crossedPayment]);
}

export function invoicePaid(data: AboutInvoice, shop: Shop): MailContent {
  return mailOf(data, paidNews(data.invoice), [paragraph('Thank you.'), invoiceLink(data, shop, false)]);
}

export function invoiceVoided(data: AboutInvoice & { reason: string | null }, shop: Shop): MailContent {
  return mailOf(data, voidedNews(data.invoice), [...quotedReason(data.reason), invoiceLink(data, shop, false)]);
}

export function creditNoteIssued(
  data: AboutInvoice & { document: billingEvents.CreditNoteDocument },
  shop: Shop,
): MailContent {
  return mailOf(data, creditedNews(data.invoice, data.document), [
    ...quotedReason(data.document.reason),
    paragraph('The credit note is attached as a PDF.'),
    invoiceLink(data, shop, data.invoice.balance > 0),
  ]);
}

/** Money of which a part paid no invoice. */
export function paymentReceived(data: Reader & { payment: MovedMoney }, shop: Shop): MailContent {
  return mailOf(data, receivedNews(data.payment), [invoicesLink(shop)]);
}

export function paymentRefunded(
  data: Reader & { payment: Parameters<typeof refundedNews>[0] },
  shop: Shop,
): MailContent {
  return mailOf(data, refundedNews(data.payment), [invoicesLink(shop)]);
}

export function creditWarning(data: Reader & { credit: CreditUse }, shop: Shop): MailContent {
  return mailOf(data, creditWarningNews(data.credit), [invoicesLink(shop)]);
}

export function creditExceeded(data: Reader & { order: ExceededCredit }, shop: Shop): MailContent {
  return mailOf(data, creditExceededNews(data.order), [
    paragraph('Pay what is owed, or answer this mail if you have questions.'),
    invoicesLink(shop),
  ]);
}

function mailOf({ firstName }: Reader, { title, body }: News, more: readonly MailBlock[]): MailContent {
  return { subject: title, blocks: [greeting(firstName), paragraph(body), ...more] };
}

const crossedPayment = paragraph('If you have paid it already, there is nothing to do.');

function transfer({ name, iban, bic }: NonNullable<billingEvents.InvoiceDocument['bank']>, number: string): MailBlock {
  const lines = [`To pay by bank transfer:`, name, `IBAN ${iban}`, ...(bic === null ? [] : [`BIC ${bic}`])];
  return paragraph([...lines, `Payment reference: ${number}`].join('\n'));
}

function invoiceLink({ invoiceId }: Pick<AboutInvoice, 'invoiceId'>, shop: Shop, isOwed: boolean): MailBlock {
  const label = isOwed ? 'See and pay the invoice' : 'See the invoice';
  return { kind: 'link', label, url: `${shop.url}/invoices/${invoiceId}` };
}

function invoicesLink(shop: Shop): MailBlock {
  return { kind: 'link', label: 'See your invoices', url: `${shop.url}/invoices` };
}
