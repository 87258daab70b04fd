import { billingEvents, fact, type Fact } from '@storefront/contracts';
import type { Account } from '../../domain/account.ts';
import { availableOf, creditRefusalOf, withReserved } from '../../domain/credit.ts';
import { completed, type Decided, type OrderPayment } from './order-payment.ts';
import { isTooLate, type PaymentRequest } from './request-payment.ts';

/**
 * Takes the credit of the account for an order, so that its total counts as owed from now on, or refuses it. `account` is
 * null if there is none, or it was erased. A repeated request gets the same answer again. Returns null if the request
 * has no effect.
 */
export function reserveCredit(
  before: OrderPayment,
  account: Account | null,
  request: PaymentRequest,
  now: Date,
): (Decided & { readonly account: Account | null }) | null {
  if (isTooLate(before, request)) return null;
  const { paymentId, currency, amount } = request.data;
  const { credit } = before;
  if (credit?.paymentId === paymentId || credit?.state === 'invoiced')
    return { ...completed(before, before, creditAnswerOf(before), now), account };
  // An earlier request of the same order counts no more.
  const free = account && credit?.state === 'reserved' ? withReserved(account, -credit.amount) : account;
  const reason = free === null ? 'closed' : creditRefusalOf(free, amount);
  const refusal = reason && { reason, available: free === null ? 0 : availableOf(free) };
  const record: OrderPayment = {
    ...before,
    currency,
    due: Math.min(amount, before.keep ?? amount),
    requestSequence: request.sequence,
    credit: {
      paymentId,
      accountId: request.data.userId ?? '',
      amount,
      state: refusal === null ? 'reserved' : 'refused',
      refusal,
    },
  };
  return {
    ...completed(before, record, creditAnswerOf(record), now),
    account: free && refusal === null ? withReserved(free, amount) : free,
  };
}

/** The invoice of the order counts from now on, in place of its credit. The order system knows that it is on account. */
export function creditInvoiced(before: OrderPayment, now: Date): OrderPayment {
  const { credit } = before;
  if (credit?.state !== 'reserved') return before;
  return completed(before, { ...before, credit: { ...credit, state: 'invoiced' } }, [], now).record;
}

/**
 * So much is credited of the order's invoice in all, and so much is left of it: the shop may keep no more. Of an order on
 * account it is what went back; money that came by card goes back.
 */
export function invoiceCredited(
  before: OrderPayment,
  { credited, left }: { readonly credited: number; readonly left: number },
  now: Date,
): Decided {
  const isOnAccount = before.credit?.state === 'invoiced';
  const record = { ...before, credited: isOnAccount ? credited : before.credited, due: Math.min(before.due, left) };
  return completed(before, record, [], now);
}

/** What is reserved for the order, in minor units. */
export function reservedOf({ credit }: Pick<OrderPayment, 'credit'>): number {
  return credit?.state === 'reserved' ? credit.amount : 0;
}

function creditAnswerOf({ id, credit }: OrderPayment): readonly Fact[] {
  if (credit === null) return [];
  const { paymentId, refusal } = credit;
  return [
    refusal === null
      ? fact(billingEvents.creditReserved, id, { paymentId })
      : fact(billingEvents.creditRefused, id, { paymentId, ...refusal }),
  ];
}
