import { billingEvents, derivedId, fact, type Fact, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { charged } from '../../domain/charged.ts';

/** One page of a provider on which the order can be paid. It has a payment with the same id. */
const attempt = z.object({
  paymentId: z.string(),
  /** null if no configured provider has pages; the attempt is then `refused`. */
  provider: z.string().nullable(),
  amount: z.int(),
  /**
   * `opening` and `closing`: the provider is to be called. `refused`: there is no page, and will be none. `closed`: the
   * page takes no money any more.
   */
  state: z.enum(['opening', 'open', 'refused', 'closing', 'closed']),
  /** Why it was refused. */
  refusal: z.string().nullable(),
  /** Where the page leads back to. */
  returnUrl: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  /** The provider's id of the page, where it has one. */
  reference: z.string().nullable(),
  /** Whether the provider states that somebody tried to pay in vain. */
  hasFailed: z.boolean(),
});
export type Attempt = StateOf<typeof attempt>;

/** What the provider states of one transfer of money; never more went back than came. */
const transfer = z.object({
  paymentId: z.string(),
  /** The provider's id of the transfer. */
  reference: z.string(),
  received: z.int(),
  refunded: z.int(),
  disputed: z.int(),
});
export type Transfer = StateOf<typeof transfer>;

/** A refund that billing decided, of one transfer. */
const refund = z.object({
  /** The provider is called under this id, so that it refunds once. */
  id: z.string(),
  paymentId: z.string(),
  /** Of the transfer. */
  reference: z.string(),
  amount: z.int(),
  /** `requested`: the provider is to be called. `done`: the refund is in the sums of its transfer. */
  state: z.enum(['requested', 'done', 'failed']),
  /** The provider's id of the refund, once it is done. */
  providerId: z.string().nullable(),
  /** Why it failed. */
  failure: z.string().nullable(),
});
export type OrderRefund = StateOf<typeof refund>;

/** The credit of a trade account for the order. */
const credit = z.object({
  paymentId: z.string(),
  accountId: z.string(),
  amount: z.int(),
  /** `reserved`: it counts as owed. `invoiced`: the invoice counts instead. `released`: the order was cancelled. */
  state: z.enum(['reserved', 'refused', 'invoiced', 'released']),
  refusal: z.object({ reason: z.enum(['limit', 'hold', 'closed']), available: z.int().nullable() }).nullable(),
});

/** How one order is paid. All amounts are in minor units of `currency`, and all sums since the beginning of the order. */
export const orderPayment = z.object({
  /** The order's id. */
  id: z.string(),
  currency: z.string(),
  /** What the shop may keep of the order's money: its total, less what was cancelled and refunded; 0 once it was cancelled. */
  due: z.int(),
  /** The most that it may ever keep, since parts of the order were cancelled or refunded; null while none were. */
  keep: z.int().nullable(),
  /** What is still charged then; null while nothing was cancelled or refunded. */
  charged: charged.nullable(),
  /** The sequence of the newest request for a payment. An older one that comes later has no effect. */
  requestSequence: z.int(),
  /** `closed`: no page is open any more, and none is opened. */
  closing: z.enum(['none', 'requested', 'closed']),
  isCancelled: z.boolean(),
  /** In the order of their requests. */
  attempts: z.array(attempt),
  /** In the order in which they became known. */
  transfers: z.array(transfer),
  refunds: z.array(refund),
  credit: credit.nullable(),
  /** What was credited of the invoice of an order on account. */
  credited: z.int(),
  received: z.int(),
  /** What went back, or was credited. */
  refunded: z.int(),
  disputed: z.int(),
  /** What the provider refuses to refund. */
  refundsFailed: z.int(),
  state: billingEvents.orderPaymentChanged.data.shape.state,
  /** When a job calls the provider; null if there is nothing to call it for. */
  nextCallAt: z.date().nullable(),
  /** How often in a row the provider gave no answer. */
  failedCalls: z.int(),
  /** Whether money moved, or an invoice was issued. Such a record is kept like invoices. */
  isBookkeeping: z.boolean(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type OrderPayment = StateOf<typeof orderPayment>;

/** A decision about the payment of an order, with the events that it causes. */
export interface Decided {
  readonly record: OrderPayment;
  readonly facts: readonly Fact[];
}

/** Something that a provider is to be called for. The call may be repeated: the id stands for one effect. */
export type ProviderAction =
  | { readonly kind: 'open' | 'close'; readonly attempt: Attempt }
  | { readonly kind: 'refund'; readonly refund: OrderRefund };

/**
 * All that providers are to be called for. No page is opened while another one is still to be closed, so that an order
 * never has two.
 */
export function actionsOf({
  attempts,
  refunds,
}: Pick<OrderPayment, 'attempts' | 'refunds'>): readonly ProviderAction[] {
  const closing = attempts.filter(({ state }) => state === 'closing');
  const opening = closing.length > 0 ? [] : attempts.filter(({ state }) => state === 'opening');
  return [
    ...closing.map((attempt) => ({ kind: 'close', attempt }) as const),
    ...opening.map((attempt) => ({ kind: 'open', attempt }) as const),
    ...refunds.filter(({ state }) => state === 'requested').map((refund) => ({ kind: 'refund', refund }) as const),
  ];
}

/** The record of an order of which nothing is known yet. */
export function newOrderPayment(id: string, currency: string, now: Date): OrderPayment {
  return {
    id,
    currency,
    due: 0,
    keep: null,
    charged: null,
    requestSequence: 0,
    closing: 'none',
    isCancelled: false,
    attempts: [],
    transfers: [],
    refunds: [],
    credit: null,
    credited: 0,
    received: 0,
    refunded: 0,
    disputed: 0,
    refundsFailed: 0,
    state: 'open',
    nextCallAt: null,
    failedCalls: 0,
    isBookkeeping: false,
    createdAt: now,
    updatedAt: now,
  };
}

// The instance that has written the record calls the provider at once. The job comes later, in case that instance has
// ended. A call takes at most 10 s.
const jobAfterMs = 15_000;

/**
 * Completes a change of the record: writes the refunds of what is too much, says that the payment is closed once no page
 * is open, calculates the sums anew, and publishes them if they differ. Every decision ends with this.
 */
export function completed(before: OrderPayment, changed: OrderPayment, facts: readonly Fact[], now: Date): Decided {
  const summed = withSums({ ...changed, refunds: [...changed.refunds, ...refundsOfExcess(changed)] });
  const isClosed = summed.closing === 'requested' && !summed.attempts.some(isPayable);
  const hasCalls = actionsOf(summed).length > 0;
  const record: OrderPayment = {
    ...summed,
    closing: isClosed ? 'closed' : summed.closing,
    nextCallAt: hasCalls ? (summed.nextCallAt ?? new Date(now.getTime() + jobAfterMs)) : null,
    failedCalls: hasCalls ? summed.failedCalls : 0,
    isBookkeeping: summed.isBookkeeping || summed.transfers.length > 0 || summed.credit?.state === 'invoiced',
    updatedAt: now,
  };
  return {
    record,
    facts: [...facts, ...changedFacts(before, record), ...(isClosed ? [closedFact(record)] : [])],
  };
}

/** What the shop has of a transfer, less the refunds that are on their way. */
function keptOf({ refunds }: Pick<OrderPayment, 'refunds'>, transfer: Transfer): number {
  return Math.max(0, transfer.received - transfer.refunded - transfer.disputed - sumOf(refunds, transfer, 'requested'));
}

/** The event that says what came until no page was open any more. */
function closedFact({ id, currency, received, refunded }: OrderPayment): Fact {
  return fact(billingEvents.paymentClosed, id, { currency, received, refunded });
}

/** Whether the page may still take money, as far as is known. */
function isPayable({ state }: Attempt): boolean {
  return state === 'opening' || state === 'open' || state === 'closing';
}

/**
 * The refunds of what the shop has and may not keep. The newest transfers go back first. What the provider has refused
 * to refund of a transfer is not requested again.
 */
function refundsOfExcess(record: OrderPayment): readonly OrderRefund[] {
  const { refunds, transfers, due } = record;
  let excess = transfers.reduce((sum, transfer) => sum + keptOf(record, transfer), 0) - due;
  const requested: OrderRefund[] = [];
  for (const transfer of transfers.toReversed()) {
    const { paymentId, reference } = transfer;
    const amount = Math.min(excess, keptOf(record, transfer) - sumOf(refunds, transfer, 'failed'));
    if (amount <= 0) continue;
    excess -= amount;
    const id = derivedId('rfnd', paymentId, `refund ${refunds.length + requested.length + 1}`);
    requested.push({ id, paymentId, reference, amount, state: 'requested', providerId: null, failure: null });
  }
  return requested;
}

function withSums(record: OrderPayment): OrderPayment {
  const { transfers, refunds } = record;
  const sum = (amountOf: (transfer: Transfer) => number) =>
    transfers.reduce((total, transfer) => total + amountOf(transfer), 0);
  const sums = {
    received: sum(({ received }) => received),
    refunded: sum(({ refunded }) => refunded) + record.credited,
    disputed: sum(({ disputed }) => disputed),
    refundsFailed: sum((transfer) => Math.min(keptOf(record, transfer), sumOf(refunds, transfer, 'failed'))),
  };
  return { ...record, ...sums, state: stateOf({ ...record, ...sums }) };
}

function stateOf({ received, refunded, disputed, due, attempts, credit }: OrderPayment): OrderPayment['state'] {
  if (credit?.state === 'invoiced') return refunded < credit.amount ? 'on-account' : 'refunded';
  const kept = received - refunded - disputed;
  if (disputed > 0) return 'disputed';
  if (kept > 0) return kept >= due ? 'paid' : 'open';
  if (received > 0) return 'refunded';
  return attempts.at(-1)?.hasFailed === true ? 'failed' : 'open';
}

function changedFacts(before: OrderPayment, after: OrderPayment): readonly Fact[] {
  const changed = (['received', 'refunded', 'disputed', 'refundsFailed', 'state'] as const).some(
    (field) => before[field] !== after[field],
  );
  if (!changed) return [];
  const { id, currency, received, refunded, disputed, refundsFailed, state } = after;
  return [
    fact(billingEvents.orderPaymentChanged, id, { currency, received, refunded, disputed, refundsFailed, state }),
  ];
}

function sumOf(refunds: readonly OrderRefund[], of: Transfer, state: OrderRefund['state']): number {
  return refunds.reduce(
    (sum, each) =>
      each.state === state && each.paymentId === of.paymentId && each.reference === of.reference
        ? sum + each.amount
        : sum,
    0,
  );
}
