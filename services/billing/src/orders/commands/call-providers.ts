import { setTimeout as wait } from 'node:timers/promises';
import { changed, unchanged } from '@storefront/contracts';
import type { Lease, Repository } from '@storefront/mongo';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Payment } from '../../domain/payment.ts';
import { withFact, withReceiptSums } from '../../domain/receipts.ts';
import type { OrderPages, Provider } from '../../providers/provider.ts';
import { countMoney } from '../domain/count-money.ts';
import { actionsOf, type Attempt, type Decided, type OrderPayment, type OrderRefund } from '../domain/order-payment.ts';
import {
  callAnswered,
  callFailed,
  manyFailures,
  pageClosed,
  pageOpened,
  pageRefused,
  paymentOf,
  refundRefused,
  returnAddressOf,
} from '../domain/provider-actions.ts';
import type { OrderPayments } from '../store/order-payments.ts';

interface Needs {
  readonly orderPayments: OrderPayments;
  readonly payments: Repository<Payment>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly lease: Pick<Lease, 'holder' | 'isHeld'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Calls providers for what the records of orders say: to open and close pages, and to refund. */
export interface ProviderCalls {
  /** Calls the providers of this order now. What fails is left to the job. `known` is its record, just written. */
  callSoon(orderId: string, known?: OrderPayment): void;
  /** As `callSoon`, and resolves when it is done. */
  call(orderId: string): Promise<void>;
  /** Waits at most 8 s for the calls that are being made, and makes no more. They are made again later. */
  close(): Promise<void>;
}

const ordersAtOnce = 8;
const finishWithinMs = 8000;

/**
 * Each call is written down before it is made, and its answer in one transaction with the events about it. So a call
 * whose instance was killed is made again, by the job of another instance, and under the same id. Calls of one order are
 * made one after the other.
 */
export function createProviderCalls(needs: Needs): ProviderCalls {
  const { orderPayments, lease, now, logger } = needs;
  const atOnce = pLimit(ordersAtOnce);
  const underWay = new Map<string, Promise<void>>();
  let isClosed = false;

  async function callAll(orderId: string, known: OrderPayment | undefined): Promise<void> {
    const { holder } = lease;
    const unanswered = new Map<string, unknown>();
    // What changes meanwhile is followed by calls of its own.
    let record = known ?? (await orderPayments.load(orderId))?.state ?? null;
    for (;;) {
      const action: Action | null | undefined =
        record && actionsOf(record).find((each) => !unanswered.has(keyOf(each)));
      if (!record || !action || isClosed || !lease.isHeld(holder)) break;
      try {
        record = await (action.kind === 'refund'
          ? refund(needs, record, action.refund)
          : openOrClose(needs, record, action.kind, action.attempt));
      } catch (error) {
        unanswered.set(keyOf(action), error);
      }
    }
    const [error] = unanswered.values();
    if (unanswered.size > 0) await postpone(orderId, error);
  }

  async function postpone(order: string, err: unknown): Promise<void> {
    const { result } = await orderPayments.change(order, (current) => {
      if (current === null || actionsOf(current).length === 0) return unchanged(null);
      const after = callFailed(current, now());
      return changed(after, [], after.failedCalls);
    });
    if (result === null) return;
    const about = { err, order, failedCalls: result };
    if (result < manyFailures) logger.warn(about, 'a payment provider gave no answer; it is called again');
    else logger.error(about, 'a payment provider gives no answer, so pages of an order or refunds are left undone');
  }

  /** In turn with other calls of the same order. */
  function call(orderId: string, known?: OrderPayment): Promise<void> {
    const before = underWay.get(orderId);
    const turn = Promise.resolve(before).then(() => atOnce(() => callAll(orderId, before ? undefined : known)));
    const settled = turn
      .catch((error: unknown) =>
        logger.warn({ err: error, order: orderId }, 'calls of a payment provider are left to the job'),
      )
      .finally(() => {
        if (underWay.get(orderId) === settled) underWay.delete(orderId);
      });
    underWay.set(orderId, settled);
    return settled;
  }

  return {
    callSoon(orderId, known) {
      if (!isClosed) void call(orderId, known);
    },
    call: (orderId) => call(orderId),
    async close() {
      isClosed = true;
      await Promise.race([Promise.all(underWay.values()), wait(finishWithinMs, undefined, { ref: false })]);
    },
  };
}

type Action = ReturnType<typeof actionsOf>[number];

function keyOf(action: Action): string {
  return action.kind === 'refund' ? action.refund.id : `${action.kind} ${action.attempt.paymentId}`;
}

async function openOrClose(
  needs: Needs,
  { id: orderId, currency }: OrderPayment,
  kind: 'open' | 'close',
  attempt: Attempt,
): Promise<OrderPayment> {
  const { paymentId, amount, reference } = attempt;
  const pages = pagesOf(needs, attempt);
  const returnUrl = returnAddressOf(orderId, attempt);
  const page = { paymentId, orderId, amount, currency, returnUrl, reference };
  const answer = kind === 'open' ? await pages.open(page) : await pages.close(page);
  const { now } = needs;
  // The payment stays as it is while its page is open.
  if (answer.kind === 'opened')
    return changeRecord(needs, orderId, (record) => pageOpened(record, paymentId, answer, now()));
  return change(needs, orderId, paymentId, (record, payment) => {
    const decided =
      answer.kind === 'closed'
        ? pageClosed(record, paymentId, now())
        : pageRefused(record, paymentId, answer.reason, now());
    return { ...decided, payment };
  });
}

async function refund(needs: Needs, record: OrderPayment, { id, ...requested }: OrderRefund): Promise<OrderPayment> {
  const { paymentId, reference, amount } = requested;
  const { id: orderId, currency, attempts } = record;
  const pages = pagesOf(
    needs,
    attempts.find((each) => each.paymentId === paymentId),
  );
  const answer = await pages.refund({ id, paymentId, reference, amount, currency });
  const { now, logger } = needs;
  if (answer.kind === 'refused')
    logger.error(
      { order: orderId, refund: id, reason: answer.reason },
      'a payment provider refuses a refund: staff have to see to it',
    );
  return change(needs, orderId, paymentId, (before, payment) => {
    if (answer.kind === 'refused') return { ...refundRefused(before, id, answer.reason, now()), payment };
    const made = answer.refund;
    const fact = { kind: 'refunded', paymentId, invoiceNumber: null, currency, reference, ...made } as const;
    const counted = withReceiptSums({ ...payment, receipts: withFact(payment.receipts, fact) }, now());
    return { ...countMoney(before, counted, now(), { id, providerId: made.id }), payment: counted };
  });
}

/** Changes the record of an order after a provider has answered. Returns the record. */
async function changeRecord(
  { orderPayments }: Needs,
  orderId: string,
  decide: (record: OrderPayment) => Decided,
): Promise<OrderPayment> {
  const { result } = await orderPayments.change(orderId, (current) => {
    if (current === null) throw new Error(`${orderId} has no record of its payment any more`);
    const { record, facts } = decide(callAnswered(current));
    return changed(record, facts, record);
  });
  return result;
}

/** Changes the record of an order and one of its payments together, after a provider has answered. Returns the record. */
async function change(
  { orderPayments, payments, now }: Needs,
  orderId: string,
  paymentId: string,
  decide: (record: OrderPayment, payment: Payment) => Decided & { readonly payment: Payment },
): Promise<OrderPayment> {
  return orderPayments.transaction(async (transaction) => {
    const record = await orderPayments.latest(orderId, transaction);
    const payment = await payments.latest(paymentId, transaction);
    if (record === null || payment === null) throw new Error(`${paymentId} of ${orderId} is not stored any more`);
    const decided = decide(callAnswered(record.state), payment.state);
    await orderPayments.changeAll(transaction, [orderId], () => changed(decided.record, decided.facts), [
      [orderId, record],
    ]);
    const next = paymentOf(decided.payment, decided.record, now());
    await payments.changeAll(transaction, [paymentId], () => changed(next, []), [[paymentId, payment]]);
    return decided.record;
  });
}

function pagesOf({ providers }: Needs, attempt: Attempt | undefined): OrderPages {
  const pages = providers.get(attempt?.provider ?? '')?.orderPages;
  if (!pages) throw new Error(`the provider ${attempt?.provider ?? ''} is not configured any more`);
  return pages;
}
