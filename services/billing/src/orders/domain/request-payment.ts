import type { ordersEvents, EventOf } from '@storefront/contracts';
import { answerOf } from './provider-actions.ts';
import { completed, type Attempt, type Decided, type OrderPayment } from './order-payment.ts';

/** What the order system requests: that an order is paid. */
export type PaymentRequest = Pick<EventOf<typeof ordersEvents.paymentRequested>, 'subject' | 'sequence' | 'data'>;

/**
 * Whether a request of the order system has no effect any more: the order is cancelled or not to be paid any more, or a
 * newer request came first.
 */
export function isTooLate(
  { isCancelled, closing, requestSequence }: OrderPayment,
  { sequence }: PaymentRequest,
): boolean {
  return isCancelled || closing !== 'none' || sequence < requestSequence;
}

/**
 * Requests a page on which the order is paid by card, at `provider`; null where no configured provider has pages. A page
 * of an earlier request is closed before. A repeated request gets the same answer again. Returns null if the request has
 * no effect.
 */
export function requestCard(
  before: OrderPayment,
  request: PaymentRequest,
  { provider, now }: { readonly provider: string | null; readonly now: Date },
): Decided | null {
  if (isTooLate(before, request)) return null;
  const { paymentId, currency, amount, returnUrl } = request.data;
  const known = before.attempts.find((each) => each.paymentId === paymentId);
  if (known !== undefined) return completed(before, before, answerOf(before.id, known), now);
  const added: Attempt = {
    paymentId,
    provider,
    amount,
    state: provider === null ? 'refused' : 'opening',
    refusal: provider === null ? 'payments_not_configured' : null,
    returnUrl,
    redirectUrl: null,
    reference: null,
    hasFailed: false,
  };
  return completed(
    before,
    {
      ...before,
      currency,
      due: Math.min(amount, before.keep ?? amount),
      requestSequence: request.sequence,
      attempts: [...before.attempts.map(toClose), added],
    },
    answerOf(before.id, added),
    now,
  );
}

/**
 * Closes all pages of the order; `payment-closed` follows once none is open. A repeated request gets the same answer
 * again. What came too little stays until the order is cancelled: money may still be on its way, and the order system
 * alone decides whether the order is placed.
 */
export function requestClosing(before: OrderPayment, now: Date): Decided {
  return completed(before, { ...before, closing: 'requested', attempts: before.attempts.map(toClose) }, [], now);
}

/**
 * The shop may keep nothing of the order's money from now on: its pages are closed, and all that came or still comes is
 * refunded. A credit that is reserved is released; the caller changes the account. Returns null if the order was
 * cancelled before.
 */
export function cancel(before: OrderPayment, now: Date): Decided | null {
  if (before.isCancelled) return null;
  const { credit } = before;
  return completed(
    before,
    {
      ...before,
      isCancelled: true,
      due: 0,
      attempts: before.attempts.map(toClose),
      credit: credit?.state === 'reserved' ? { ...credit, state: 'released' } : credit,
    },
    [],
    now,
  );
}

/**
 * The shop may keep no more than `keep` of the order's money from now on; what it has beyond that is refunded. Since it
 * only falls, an older event that comes later changes nothing. Returns null if nothing changes.
 */
export function reduce(
  before: OrderPayment,
  { keep, charged }: Pick<ordersEvents.OrderReduced, 'keep' | 'charged'>,
  now: Date,
): Decided | null {
  if (before.keep !== null && before.keep <= keep) return null;
  return completed(before, { ...before, keep, charged, due: Math.min(before.due, keep) }, [], now);
}

function toClose(attempt: Attempt): Attempt {
  const { state } = attempt;
  return state === 'opening' || state === 'open' ? { ...attempt, state: 'closing' } : attempt;
}
