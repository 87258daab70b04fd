import { divideHalfUp, product } from '@storefront/money';
import type { billingHttp } from '@storefront/contracts';
import type { Dispute, Payment, Receipt, Refund, RefundSum } from '../../domain/payment.ts';
import type { ProviderFact } from './provider-fact.ts';

const maxParts = 100;

/** Whether there is room for the fact: of one transfer, 100 refunds and disputes are stored. */
export function hasRoomFor(receipts: readonly Receipt[], fact: ProviderFact): boolean {
  const found = receipts.find(({ reference }) => reference === fact.reference);
  if (!found || (fact.kind !== 'refunded' && fact.kind !== 'disputed')) return true;
  const parts = fact.kind === 'refunded' ? found.refunds : found.disputes;
  return found.refunds.length + found.disputes.length < maxParts || parts.some(({ id }) => id === fact.id);
}

/** The receipts with one more fact. */
export function withFact(receipts: readonly Receipt[], fact: ProviderFact): readonly Receipt[] {
  return withMoreOf(receipts, receiptOf(fact));
}

/**
 * The receipts joined with another receipt of the same transfer. Of two statements about one object the later state counts, so the result
 * is the same in any order and however often each is given.
 */
export function withMoreOf(receipts: readonly Receipt[], more: Receipt): readonly Receipt[] {
  const found = receipts.find(({ reference }) => reference === more.reference);
  const others = receipts.filter(({ reference }) => reference !== more.reference);
  return [...others, found ? joined(found, more) : more].toSorted(by(({ reference }) => reference));
}

/** Received money less refunds and disputes. It is never below 0: where more went back than came, a receipt is still to be stated. */
export function receivedOf(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, receipt) => sum + keptOf(receipt), 0);
}

/** The money that went back. */
export function refundedOf(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, receipt) => sum + receipt.succeeded - keptOf(receipt), 0);
}

/** Whether money came for any of the transfers, also where it went back. */
export function hasCome(receipts: readonly Receipt[]): boolean {
  return receipts.some(({ succeeded }) => succeeded > 0);
}

/** The worth of `received` in the shop's currency: a share of the worth of all of the payment when it was allocated. */
export function worthOf({ worth }: Pick<Payment, 'worth'>, received: number): number {
  return worth === null ? received : divideHalfUp(product(worth.amount, received), worth.of);
}

/** The status of a payment follows from what its provider states, and from whether an administrator has to say what it is for. */
export function statusOf({
  receipts,
  unallocatedReason,
}: Pick<Payment, 'receipts' | 'unallocatedReason'>): billingHttp.PaymentStatus {
  if (!hasCome(receipts)) return receipts.some(({ failed }) => failed) ? 'failed' : 'pending';
  if (receivedOf(receipts) > 0) return unallocatedReason === null ? 'succeeded' : 'unallocated';
  return receipts.some(({ disputed }) => disputed > 0) ? 'disputed' : 'refunded';
}

function keptOf({ succeeded, refunded, disputed }: Receipt): number {
  return Math.max(0, succeeded - refunded - disputed);
}

function receiptOf(fact: ProviderFact): Receipt {
  const parts = partsOf(fact);
  const { reference } = fact;
  return { reference, succeeded: fact.kind === 'captured' ? fact.amount : 0, ...sumsOf(parts), ...parts };
}

type Parts = Pick<Receipt, 'failed' | 'refunds' | 'refundedInAll' | 'disputes'>;
const noParts: Parts = { failed: false, refunds: [], refundedInAll: null, disputes: [] };

function partsOf(fact: ProviderFact): Parts {
  switch (fact.kind) {
    case 'captured':
    case 'indivisible':
      return noParts;
    case 'failed':
      return { ...noParts, failed: true };
    case 'refunded': {
      const { id, amount, createdAt, failedAt } = fact;
      return { ...noParts, refunds: [{ id, amount, createdAt, failedAt }] };
    }
    case 'refunded-in-all': {
      const { amount, statedAt } = fact;
      return { ...noParts, refundedInAll: { amount, statedAt } };
    }
    case 'disputed': {
      const { id, amount, isTaken, isClosed, statedAt } = fact;
      return { ...noParts, disputes: [{ id, amount, isTaken, isClosed, statedAt }] };
    }
  }
}

function joined(one: Receipt, other: Receipt): Receipt {
  const parts: Parts = {
    failed: one.failed || other.failed,
    refunds: joinedById([...one.refunds, ...other.refunds], laterRefund),
    refundedInAll: laterSum(one.refundedInAll, other.refundedInAll),
    disputes: joinedById([...one.disputes, ...other.disputes], laterDispute),
  };
  // What was captured can only grow.
  return { ...one, succeeded: Math.max(one.succeeded, other.succeeded), ...sumsOf(parts), ...parts };
}

function sumsOf({ refunds, refundedInAll, disputes }: Parts): Pick<Receipt, 'refunded' | 'disputed'> {
  return {
    refunded: Math.max(
      sumOf(refunds.filter(({ failedAt }) => failedAt === null)),
      refundedInAll === null ? 0 : stillRefunded(refundedInAll, refunds),
    ),
    disputed: sumOf(disputes.filter(({ isTaken }) => isTaken)),
  };
}

/**
 * A stated sum of all refunds, less those that were in it and have failed since; for providers that do not state each of them.
 */
function stillRefunded({ amount, statedAt }: RefundSum, refunds: readonly Refund[]): number {
  const failedSince = refunds.filter(
    ({ createdAt, failedAt }) => failedAt !== null && createdAt <= statedAt && failedAt >= statedAt,
  );
  return amount - sumOf(failedSince);
}

/** A refund that failed never succeeds again. */
function laterRefund(one: Refund, other: Refund): Refund {
  const failures = [one.failedAt, other.failedAt].filter((at) => at !== null);
  return {
    id: one.id,
    amount: Math.max(one.amount, other.amount),
    createdAt: Math.max(one.createdAt, other.createdAt),
    failedAt: failures.length > 0 ? Math.min(...failures) : null,
  };
}

function laterSum(one: RefundSum | null, other: RefundSum | null): RefundSum | null {
  if (one === null || other === null) return one ?? other;
  if (one.statedAt !== other.statedAt) return one.statedAt > other.statedAt ? one : other;
  return one.amount > other.amount ? one : other;
}

/** A closed dispute is later than an open one. Of two at one time, the one whose money stays here is later, then the larger one. */
function laterDispute(one: Dispute, other: Dispute): Dispute {
  const ranks = (dispute: Dispute) => [
    Number(dispute.isClosed),
    dispute.statedAt,
    Number(!dispute.isTaken),
    dispute.amount,
  ];
  const others = ranks(other);
  const difference = ranks(one).map((rank, place) => rank - (others[place] ?? 0));
  return (difference.find((each) => each !== 0) ?? 0) > 0 ? one : other;
}

function joinedById<Part extends { readonly id: string }>(
  parts: readonly Part[],
  later: (one: Part, other: Part) => Part,
): readonly Part[] {
  const byId = new Map<string, Part>();
  for (const part of parts) {
    const found = byId.get(part.id);
    byId.set(part.id, found ? later(found, part) : part);
  }
  return [...byId.values()].toSorted(by(({ id }) => id));
}

// In the order of their names, so that it does not say which one came first.
function by<Item>(nameOf: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => (nameOf(one) < nameOf(other) ? -1 : 1);
}

function sumOf(amounts: readonly { readonly amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
