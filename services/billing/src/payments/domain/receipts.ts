import { divideHalfUp, product } from '@storefront/money';
import type { billingHttp } from '@storefront/contracts';
import type { Payment, Receipt } from './payment.ts';
import type { ProviderFact } from './provider-fact.ts';

/**
 * The receipts with one more fact. Facts add up, so that they come to the same in any order; whoever calls sees to it that each one is
 * counted once.
 */
export function withFact(receipts: readonly Receipt[], fact: ProviderFact): readonly Receipt[] {
  const found = receipts.find(({ reference }) => reference === fact.reference);
  return withReceipt(receipts, counted(found ?? newReceipt(fact.reference), fact));
}

/** The receipts with what another one says of the same transfer. */
export function withMoreOf(receipts: readonly Receipt[], more: Receipt): readonly Receipt[] {
  const found = receipts.find(({ reference }) => reference === more.reference) ?? newReceipt(more.reference);
  return withReceipt(receipts, {
    reference: more.reference,
    succeeded: found.succeeded + more.succeeded,
    refunded: found.refunded + more.refunded,
    disputed: found.disputed + more.disputed,
    failed: found.failed || more.failed,
  });
}

/** What came less what went back. More than came can't go back: what is missing is still to be told. */
export function receivedOf(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, receipt) => sum + keptOf(receipt), 0);
}

/** What went back. */
export function refundedOf(receipts: readonly Receipt[]): number {
  return receipts.reduce((sum, receipt) => sum + receipt.succeeded - keptOf(receipt), 0);
}

/** What so much of the payment is worth in the shop's currency: a share of what all of it was worth when it was allocated. */
export function worthOf({ worth }: Pick<Payment, 'worth'>, received: number): number {
  return worth === null ? received : divideHalfUp(product(worth.amount, received), worth.of);
}

/** The status of a payment follows from what its provider told, and from whether an administrator has to say what it is for. */
export function statusOf({
  receipts,
  unallocatedReason,
}: Pick<Payment, 'receipts' | 'unallocatedReason'>): billingHttp.PaymentStatus {
  const hasCome = receipts.some(({ succeeded }) => succeeded > 0);
  if (!hasCome) return receipts.some(({ failed }) => failed) ? 'failed' : 'pending';
  if (receivedOf(receipts) > 0) return unallocatedReason === null ? 'succeeded' : 'unallocated';
  return receipts.some(({ disputed }) => disputed > 0) ? 'disputed' : 'refunded';
}

function keptOf({ succeeded, refunded, disputed }: Receipt): number {
  return Math.max(0, succeeded - refunded - Math.max(0, disputed));
}

function counted(receipt: Receipt, { kind, amount, isCumulative }: ProviderFact): Receipt {
  const { succeeded, refunded, disputed } = receipt;
  switch (kind) {
    case 'succeeded':
      return { ...receipt, succeeded: succeeded + amount };
    case 'failed':
      return { ...receipt, failed: true };
    case 'refunded':
      return { ...receipt, refunded: isCumulative ? Math.max(refunded, amount) : refunded + amount };
    case 'disputed':
      return { ...receipt, disputed: disputed + amount };
    case 'dispute-won':
      return { ...receipt, disputed: disputed - amount };
  }
}

function newReceipt(reference: string): Receipt {
  return { reference, succeeded: 0, refunded: 0, disputed: 0, failed: false };
}

// In the order of their names, so that it does not tell which one came first.
function withReceipt(receipts: readonly Receipt[], receipt: Receipt): readonly Receipt[] {
  const others = receipts.filter(({ reference }) => reference !== receipt.reference);
  return [...others, receipt].toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
}
