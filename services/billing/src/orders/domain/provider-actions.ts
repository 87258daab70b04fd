import { billingEvents, fact, type Fact } from '@storefront/contracts';
import type { Payment } from '../../domain/payment.ts';
import { returnAddress } from '../../domain/return-address.ts';
import { completed, type Attempt, type Decided, type OrderPayment } from './order-payment.ts';

/** The page is open. Where it is to be closed meanwhile, nobody is told its address. */
export function pageOpened(
  before: OrderPayment,
  paymentId: string,
  { redirectUrl, reference }: Pick<Attempt, 'redirectUrl' | 'reference'>,
  now: Date,
): Decided {
  const attempts = before.attempts.map((each) =>
    each.paymentId === paymentId
      ? { ...each, redirectUrl, reference, state: each.state === 'opening' ? ('open' as const) : each.state }
      : each,
  );
  const opened = attempts.filter((each) => each.paymentId === paymentId && each.state === 'open');
  return completed(
    before,
    { ...before, attempts },
    opened.flatMap((each) => answerOf(before.id, each)),
    now,
  );
}

/** The provider opens no page for the attempt, and will not. */
export function pageRefused(before: OrderPayment, paymentId: string, refusal: string, now: Date): Decided {
  const attempts = before.attempts.map((each) =>
    each.paymentId === paymentId && (each.state === 'opening' || each.state === 'closing')
      ? { ...each, state: 'refused' as const, refusal }
      : each,
  );
  const refused = attempts.filter((each) => each.paymentId === paymentId && each.state === 'refused');
  return completed(
    before,
    { ...before, attempts },
    refused.flatMap((each) => answerOf(before.id, each)),
    now,
  );
}

/** The page takes no money any more. */
export function pageClosed(before: OrderPayment, paymentId: string, now: Date): Decided {
  const attempts = before.attempts.map((each) =>
    each.paymentId === paymentId && each.state === 'closing' ? { ...each, state: 'closed' as const } : each,
  );
  return completed(before, { ...before, attempts }, [], now);
}

/** The provider refuses a refund for good. What it was to refund is for staff to see to. */
export function refundRefused(before: OrderPayment, refundId: string, failure: string, now: Date): Decided {
  const refunds = before.refunds.map((each) =>
    each.id === refundId && each.state === 'requested' ? { ...each, state: 'failed' as const, failure } : each,
  );
  return completed(before, { ...before, refunds }, [], now);
}

const second = 1000;
const retryMs = [1, 5, 30, 120, 300].map((seconds) => seconds * second);

/** After so many failures in a row, some minutes after the first, operators are told. */
export const manyFailures = retryMs.length;

/** The provider gave no answer: it is called again later. */
export function callFailed(before: OrderPayment, now: Date): OrderPayment {
  const wait = retryMs[Math.min(before.failedCalls, retryMs.length - 1)] ?? second;
  return { ...before, failedCalls: before.failedCalls + 1, nextCallAt: new Date(now.getTime() + wait) };
}

/** The provider has answered, so that the next failure is the first one again. */
export function callAnswered(record: OrderPayment): OrderPayment {
  return { ...record, failedCalls: 0, nextCallAt: null };
}

/** Where the page leads back to: the shop's address, with the ids of the order and of its payment as parameters. */
export function returnAddressOf(
  orderId: string,
  { paymentId, returnUrl }: Pick<Attempt, 'paymentId' | 'returnUrl'>,
): string | null {
  return returnUrl === null ? null : returnAddress(returnUrl, { order: orderId, payment: paymentId });
}

/** The answer about an attempt; none while there is none, and none about a page that is closed. */
export function answerOf(orderId: string, { paymentId, state, redirectUrl, refusal }: Attempt): readonly Fact[] {
  if (state === 'open' && redirectUrl !== null)
    return [fact(billingEvents.paymentOpened, orderId, { paymentId, redirectUrl })];
  if (state === 'refused')
    return [fact(billingEvents.paymentOpenFailed, orderId, { paymentId, reason: refusal ?? 'refused' })];
  return [];
}

/** The payment of an attempt as its record has it: that no money comes any more. The address of its page is only there. */
export function paymentOf(payment: Payment, { attempts }: OrderPayment, now: Date): Payment {
  const attempt = attempts.find(({ paymentId }) => paymentId === payment.id);
  const isOver = attempt?.state === 'refused' || attempt?.state === 'closed';
  return {
    ...payment,
    status: payment.status === 'pending' && isOver ? 'failed' : payment.status,
    updatedAt: now,
  };
}
