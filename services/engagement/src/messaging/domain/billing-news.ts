import type { billingEvents } from '@storefront/contracts';
import type { z } from 'zod';
import { formatDay } from './day.ts';
import { formatPrice } from './price.ts';

// What happened to invoices, payments and credit, in the words of mails and of notifications.

/** A few words for a title or a subject, and what happened in sentences. */
export interface News {
  readonly title: string;
  readonly body: string;
}

type DataOf<Name extends keyof typeof billingEvents> = z.output<(typeof billingEvents)[Name]['data']>;

/** An invoice as it is after the change. Amounts are in minor units of `currency`. */
export type BilledInvoice = Pick<DataOf<'invoiceReminded'>, 'number' | 'currency' | 'total' | 'balance' | 'dueOn'>;
export type ReminderDays = DataOf<'invoiceReminded'>['days'];
type Allocations = DataOf<'paymentReceived'>['allocations'];

/** What came of money; `allocations` are the invoices that it paid, or that are owed again. */
export interface MovedMoney {
  readonly currency: string;
  readonly amount: number;
  readonly allocations: Allocations;
  readonly credit: number;
}

/** What a trade account owes, and its limit. */
export type CreditUse = DataOf<'creditWarning'>;

/** An order that was not invoiced. */
export type ExceededCredit = Pick<
  DataOf<'creditExceeded'>,
  'orderRef' | 'currency' | 'limit' | 'outstanding' | 'total' | 'reason'
>;

const money = (amount: number, currency: string): string => formatPrice({ amount, currency });

export function issuedNews({ number, currency, total, balance, dueOn }: BilledInvoice): News {
  const title = `Your invoice ${number}`;
  const whole = money(total, currency);
  if (balance === 0) return { title, body: `Invoice ${number} over ${whole} is paid by the credit of your account.` };
  if (balance === total) return { title, body: `Invoice ${number} over ${whole} is due on ${formatDay(dueOn)}.` };
  const [paid, rest] = [money(total - balance, currency), money(balance, currency)];
  return {
    title,
    body: `Invoice ${number} over ${whole}: the credit of your account has paid ${paid}. The rest, ${rest}, is due on ${formatDay(dueOn)}.`,
  };
}

export function remindedNews(invoice: BilledInvoice, days: ReminderDays): News {
  const { number, currency, balance, dueOn } = invoice;
  const [rest, day] = [money(balance, currency), formatDay(dueOn)];
  switch (days) {
    case -3:
      return {
        title: `Invoice ${number} is due on ${day}`,
        body: `Of invoice ${number}, ${rest} is to be paid by ${day}.`,
      };
    case 0:
      return {
        title: `Invoice ${number} is due today`,
        body: `Of invoice ${number}, ${rest} is to be paid by ${day}.`,
      };
    case 7:
      return {
        title: `Reminder: invoice ${number} is overdue`,
        body: `Invoice ${number} was due on ${day}, and ${rest} of it is not paid. Please pay it now.`,
      };
    case 14:
      return {
        title: `Second reminder: invoice ${number} is overdue`,
        body: `Invoice ${number} was due on ${day}, and ${rest} of it is still not paid. Please pay it at once.`,
      };
  }
}

export function overdueNews({ number, currency, balance, dueOn }: BilledInvoice): News {
  return {
    title: `Invoice ${number} is overdue`,
    body: `Invoice ${number} was due on ${formatDay(dueOn)}, and ${money(balance, currency)} of it is not paid.`,
  };
}

export function paidNews({ number, currency, total }: BilledInvoice): News {
  return {
    title: `Invoice ${number} is paid`,
    body: `Nothing of invoice ${number} over ${money(total, currency)} is owed any more.`,
  };
}

export function voidedNews({ number, currency, total }: BilledInvoice): News {
  return {
    title: `Invoice ${number} is void`,
    body: `Invoice ${number} over ${money(total, currency)} was issued by mistake. Nothing of it is owed.`,
  };
}

/** `credited` is the total of the credit note. */
export function creditedNews(invoice: BilledInvoice, creditNote: { number: string; total: number }): News {
  const { number, currency, balance, dueOn } = invoice;
  const rest =
    balance === 0
      ? 'Nothing of the invoice is owed any more.'
      : `Of the invoice, ${money(balance, currency)} is left to be paid by ${formatDay(dueOn)}.`;
  return {
    title: `Credit note ${creditNote.number} for invoice ${number}`,
    body: `Credit note ${creditNote.number} takes ${money(creditNote.total, currency)} off invoice ${number}. ${rest}`,
  };
}

export function receivedNews({ currency, amount, allocations, credit }: MovedMoney): News {
  const paid = allocations.length > 0 ? ` It paid ${namesOf(allocations, currency)}.` : '';
  const rest = credit > 0 ? ` ${money(credit, currency)} is credit of your account, which pays your next invoice.` : '';
  return {
    title: 'Your payment has arrived',
    body: `Your payment of ${money(amount, currency)} has arrived.${paid}${rest}`,
  };
}

export function refundedNews(moved: MovedMoney & { readonly kind: DataOf<'paymentRefunded'>['kind'] }): News {
  const { currency, amount, allocations, credit, kind } = moved;
  const whole = money(amount, currency);
  const owed = allocations.length > 0 ? ` This is owed again: ${namesOf(allocations, currency)}.` : '';
  const taken = credit > 0 ? ` ${money(credit, currency)} was taken from the credit of your account.` : '';
  return kind === 'refund'
    ? { title: 'A payment was refunded', body: `${whole} of a payment was refunded to you.${owed}${taken}` }
    : { title: 'A payment was disputed', body: `${whole} of a payment went back by a dispute.${owed}${taken}` };
}

export function creditWarningNews({ currency, limit, outstanding }: CreditUse): News {
  return {
    title: 'Your credit is nearly used up',
    body: `You owe ${money(outstanding, currency)} of your credit limit of ${money(limit, currency)}. An order beyond the limit is not invoiced.`,
  };
}

export function creditExceededNews(exceeded: ExceededCredit): News {
  const title = 'An order was not invoiced';
  return { title, body: `Your order ${exceeded.orderRef} was not invoiced: ${whyNotInvoiced(exceeded)}.` };
}

/** Why an order is not invoiced, as the end of a sentence. */
export function whyNotInvoiced({ currency, limit, outstanding, total, reason }: ExceededCredit): string {
  if (reason === 'hold') return 'the account is on hold, as something is overdue or we have stopped its credit';
  const most = limit === null ? '' : ` of ${money(limit, currency)}`;
  return `its ${money(total, currency)} and the ${money(outstanding, currency)} that are owed are beyond the credit limit${most}`;
}

const maxNamed = 5;

/** The invoices with their amounts; where there are many, the first ones and how many more. */
function namesOf(allocations: Allocations, currency: string): string {
  const named = allocations.slice(0, maxNamed).map(({ number, amount }) => `${number} (${money(amount, currency)})`);
  const more = allocations.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
