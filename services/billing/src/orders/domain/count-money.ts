import type { Payment } from '../../domain/payment.ts';
import { completed, type Decided, type OrderPayment, type OrderRefund, type Transfer } from './order-payment.ts';

/**
 * Counts what the provider states of one of the order's payments. The receipts hold all that it has ever stated, so the
 * result is the same in whatever order it came, and a repetition changes nothing. `refund` is a refund of billing whose
 * answer has just been joined with the receipts.
 */
export function countMoney(
  before: OrderPayment,
  { id: paymentId, receipts }: Pick<Payment, 'id' | 'receipts'>,
  now: Date,
  refund?: { readonly id: string; readonly providerId: string },
): Decided {
  const stated = new Map(receipts.map((receipt) => [receipt.reference, transferOf(paymentId, receipt)]));
  const isOther = (each: Transfer) => each.paymentId !== paymentId;
  const known = before.transfers.map((each) => (isOther(each) ? each : (stated.get(each.reference) ?? each)));
  const added = [...stated.values()].filter(
    ({ reference, received }) =>
      received > 0 && !before.transfers.some((each) => !isOther(each) && each.reference === reference),
  );
  const failedIds = new Set(
    receipts.flatMap(({ refunds }) => refunds.flatMap((each) => (each.failedAt === null ? [] : each.id))),
  );
  const refunds = before.refunds.map((each) => refundAfter(each, refund, failedIds));
  const hasFailed = receipts.some(({ failed }) => failed);
  const attempts = before.attempts.map((each) => (each.paymentId === paymentId ? { ...each, hasFailed } : each));
  return completed(before, { ...before, attempts, transfers: [...known, ...added], refunds }, [], now);
}

/** Never more went back than came: what is missing then has not been stated yet. */
function transferOf(
  paymentId: string,
  { reference, succeeded, refunded, disputed }: Payment['receipts'][number],
): Transfer {
  const wentBack = Math.min(refunded, succeeded);
  return {
    paymentId,
    reference,
    received: succeeded,
    refunded: wentBack,
    disputed: Math.min(disputed, succeeded - wentBack),
  };
}

/** A refund that was made may still fail: the provider says so later, and the shop has the money again. */
function refundAfter(
  each: OrderRefund,
  made: { readonly id: string; readonly providerId: string } | undefined,
  failedIds: ReadonlySet<string>,
): OrderRefund {
  const { id, state } = each;
  const providerId = id === made?.id ? made.providerId : each.providerId;
  if (providerId !== null && failedIds.has(providerId))
    return { ...each, providerId, state: 'failed', failure: 'failed_later' };
  return id === made?.id && state === 'requested' ? { ...each, providerId, state: 'done' } : each;
}
