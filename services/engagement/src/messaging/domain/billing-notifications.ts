import type { billingEvents } from '@storefront/contracts';
import type { z } from 'zod';
import { whyNotInvoiced, type ExceededCredit, type News } from './billing-news.ts';
import { administrators, type NewNotification } from './notification.ts';
import { formatPrice } from './price.ts';

type DataOf<Name extends 'paymentUnallocated' | 'paymentRefunded' | 'orderNotInvoiced'> = z.output<
  (typeof billingEvents)[Name]['data']
>;

/** Tells a trade account what happened. */
export function accountNotification(
  userId: string,
  type: string,
  { title, body }: News,
  data: NewNotification['data'],
): NewNotification {
  return { audience: userId, category: 'invoices', type, title, body, data };
}

// Those for administrators name no person but as `tradeAccountId`, by which an erasure finds them.

const unallocatedReasons: Readonly<Record<string, string>> = {
  other_currency: 'it is of another currency',
  unknown_invoice: 'there is no such invoice',
  unknown_payment: 'there is no such payment',
  invoice_void: 'its invoice is void',
  account_closed: 'its account is closed',
  indivisible_amount: 'its amount is no whole number of the units of its currency',
};

export function unallocatedNotification(
  paymentId: string,
  {
    provider,
    currency,
    amount,
    reason,
  }: Pick<DataOf<'paymentUnallocated'>, 'provider' | 'currency' | 'amount' | 'reason'>,
): NewNotification {
  const why = unallocatedReasons[reason] ?? reason;
  return forAdministrators(
    'payment-unallocated',
    'Money waits to be allocated',
    `${formatPrice({ amount, currency })} came by ${provider} and paid nothing: ${why}.`,
    { paymentId, reason },
  );
}

export function paymentRefundedNotification(
  paymentId: string,
  { provider, currency, amount, kind }: Pick<DataOf<'paymentRefunded'>, 'provider' | 'currency' | 'amount' | 'kind'>,
): NewNotification {
  return forAdministrators(
    'payment-went-back',
    kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
    `${formatPrice({ amount, currency })} of a payment by ${provider} went back. What it had paid is owed again.`,
    { paymentId, kind },
  );
}

/** `accountId` is null where the account was erased. */
export function orderBeyondCreditNotification(accountId: string | null, exceeded: ExceededCredit): NewNotification {
  const { orderRef, reason } = exceeded;
  return forAdministrators(
    'order-beyond-credit',
    'An order was not invoiced',
    `Order ${orderRef} was not invoiced: ${whyNotInvoiced(exceeded)}.`,
    { ...namingOf(accountId), orderRef, reason },
  );
}

const notInvoicedReasons: Readonly<Record<DataOf<'orderNotInvoiced'>['reason'], string>> = {
  'not-a-trade-account': 'who placed it has no trade account',
  'other-currency': 'it is of another currency',
  'no-lines': 'it has no lines',
  'too-many-lines': 'it has too many lines',
  'totals-differ': 'its lines do not add up to its total',
};

/** `accountId` is null where the account was erased. */
export function orderNotInvoicedNotification(
  accountId: string | null,
  { orderRef, reason }: DataOf<'orderNotInvoiced'>,
): NewNotification {
  return forAdministrators(
    'order-not-invoiced',
    'An order can have no invoice',
    `Order ${orderRef} is on account but was not invoiced: ${notInvoicedReasons[reason]}.`,
    { ...namingOf(accountId), orderRef, reason },
  );
}

const namingOf = (accountId: string | null) => (accountId === null ? {} : { tradeAccountId: accountId });

function forAdministrators(type: string, title: string, body: string, data: NewNotification['data']): NewNotification {
  return { audience: administrators, category: 'invoices', type, title, body, data };
}
