import { divideHalfUp, product } from '@storefront/money';
import type { billingHttp } from '@storefront/contracts';
import type { Dispute, Payment, Receipt, Refund, RefundSum } from './payment.ts';
import type { ProviderFact } from './provider-fact.ts';

const maxParts = 100;

/** Whether the fact can still be stored: of one transfer at most 100 refunds and disputes are stored. */
export function hasRoomFor(receipts: readonly Receipt[], fact: ProviderFact): boolean {
  const found = receipts.find(({ reference }) => reference === fact.reference);
  if (!found || (fact.kind !== 'refunded' && fact.kind !== 'disputed')) return true;
  const parts = fact.kind === 'refunded' ? found.refunds : found.disputes;
  return found.refunds.length + found.disputes.length < maxParts || parts.some(({ id }) => id === fact.id);
}

/** Returns the receipts with one more fact. */
export function withFact(receipts: readonly Receipt[], fact: ProviderFact): readonly Receipt[] {
  return withMoreOf(receipts, receiptOf(fact));
}

/**
 * Adds a receipt, and joins it with the receipt of the same transfer if there is one. If two statements are about the
 * same object, the later state counts. So the result is the same in any order, and repeated statements change nothing.
 */
export function withMoreOf(receipts: readonly Receipt[], more: Receipt): readonly Receipt[] {
  const found = receipts.find(({ reference }) => reference === more.reference);
  const others = receipts.filter(({ reference }) => reference !== more.reference);
  return [...others, found ? joined(found, more) : more].toSorted(by(({ reference }) => reference));
}

/**
 * Received money less refunds and disputes, in minor units. Never below 0: if more was returned than received, the
 * provider has not yet stated all received money.
 */
export function receivedOf(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, receipt) => sum + keptOf(receipt), 0);
}

/** The money that was returned, in minor units. */
function refundedOf(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, receipt) => sum + receipt.succeeded - keptOf(receipt), 0);
}

/** Whether any of the transfers brought money, even if it was returned later. */
export function hasCome(receipts: readonly Receipt[]): boolean {
  return receipts.some(({ succeeded }) => succeeded > 0);
}

/**
 * The worth of `received` in the shop's currency. It is in proportion to the worth of the whole payment at its
 * allocation.
 */
export function worthOf({ worth }: Pick<Payment, 'worth'>, received: number): number {
  return worth === null ? received : divideHalfUp(product(worth.amount, received), worth.of);
}

/**
 * The status of a payment. It follows from the provider's statements, and from whether the purpose of the money is
 * known.
 */
export function statusOf({
  receipts,
  unallocatedReason,
}: Pick<Payment, 'receipts' | 'unallocatedReason'>): billingHttp.PaymentStatus {
  if (!hasCome(receipts)) return receipts.some(({ failed }) => failed) ? 'failed' : 'pending';
  if (receivedOf(receipts) > 0) return unallocatedReason === null ? 'succeeded' : 'unallocated';
  return receipts.some(({ disputed }) => disputed > 0) ? 'disputed' : 'refunded';
}

/** The payment with the sums and the status that follow from its receipts. */
export function withReceiptSums(payment: Payment, now: Date): Payment {
  const { receipts } = payment;
  const sums = { received: receivedOf(receipts), refunded: refundedOf(receipts) };
  return { ...payment, ...sums, status: statusOf(payment), updatedAt: now };
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
  // The captured amount can only grow, so the larger one is newer.
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
 * The stated sum of all refunds, less the refunds that were part of the sum and have failed since. It is needed for
 * providers that do not state each refund.
 */
function stillRefunded({ amount, statedAt }: RefundSum, refunds: readonly Refund[]): number {
  const failedSince = refunds.filter(
    ({ createdAt, failedAt }) => failedAt !== null && createdAt <= statedAt && failedAt >= statedAt,
  );
  return amount - sumOf(failedSince);
}

/** A refund that has failed never succeeds again. */
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

/**
 * Returns the later of two states of a dispute. A closed one is later than an open one. At the same stated time, the
 * dispute whose money stays with the shop is later; if both are equal in that too, the one with the larger amount.
 */
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

// Sorts by name, so that the result does not depend on the order in which statements came.
function by<Item>(nameOf: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => (nameOf(one) < nameOf(other) ? -1 : 1);
}

function sumOf(amounts: readonly { readonly amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
