import { billingHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

// A time that a provider states, in seconds of the provider's own clock; 0 if it states none. Such times are compared
// only with times of the same provider.
const statedTime = z.int();

/**
 * One refund. `failedAt`: when the provider stated that the refund failed and the shop keeps the money; null if it did
 * not fail.
 */
const refund = z.object({ id: z.string(), amount: z.int(), createdAt: statedTime, failedAt: statedTime.nullable() });
export type Refund = StateOf<typeof refund>;

/** The sum of all refunds, as the provider stated it at `statedAt`. */
const refundSum = z.object({ amount: z.int(), statedAt: statedTime });
export type RefundSum = StateOf<typeof refundSum>;

/**
 * One dispute. `isTaken`: the money was taken from the shop. A closed dispute is always newer than an open one,
 * whatever the stated times.
 */
const dispute = z.object({
  id: z.string(),
  amount: z.int(),
  isTaken: z.boolean(),
  isClosed: z.boolean(),
  statedAt: statedTime,
});
export type Dispute = StateOf<typeof dispute>;

/** Everything that the provider has stated about one transfer of money, in minor units of the transfer's currency. */
const receipt = z.object({
  /** The provider's id of the transfer. */
  reference: z.string(),
  /** The received amount. */
  succeeded: z.int(),
  /** The refunded amount, calculated from `refunds` and `refundedInAll`. */
  refunded: z.int(),
  /** The amount that disputes have taken and not returned, calculated from `disputes`. */
  disputed: z.int(),
  failed: z.boolean(),
  refunds: z.array(refund),
  /** The newest stated sum of all refunds; null if the provider states no such sum. */
  refundedInAll: refundSum.nullable(),
  disputes: z.array(dispute),
});
export type Receipt = StateOf<typeof receipt>;

/**
 * A payment: money that a provider is to collect, or that came without a request of the shop. For each transfer, the
 * received and returned amounts are stored without an order. So the result is the same in whatever order the provider's
 * statements arrive.
 */
export const payment = z.object({
  id: z.string(),
  /** The user who pays; null if the payer is unknown, and for an order of a guest. */
  accountId: z.string().nullable(),
  /**
   * The order that is paid; null for all other payments. The payment of an order is outside the books of its account:
   * it has no allocations and no remainder, whatever it received.
   */
  orderId: z.string().nullable(),
  provider: z.string(),
  status: billingHttp.paymentStatus,
  currency: z.string(),
  /** The requested amount; null if the money came without a request. */
  asked: z.int().nullable(),
  invoiceIds: z.array(z.string()),
  receipts: z.array(receipt),
  /**
   * Received money less returned money, in minor units of `currency`. The allocations and the remainder add up to its
   * worth.
   */
  received: z.int(),
  refunded: z.int(),
  allocations: z.array(z.object({ invoiceId: z.string(), amount: z.int() })),
  /** The part that has not paid any invoice: credit of the account, or unallocated money. */
  remainder: z.int(),
  unallocatedReason: billingHttp.unallocatedReason.nullable(),
  /**
   * Only for allocated money in another currency: `of` is the received amount, and `amount` is its worth in the shop's
   * currency. `allocations` and `remainder` are then in the shop's currency.
   */
  worth: z.object({ amount: z.int(), currency: z.string(), of: z.int() }).nullable(),
  redirectUrl: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Payment = StateOf<typeof payment>;

/** A new payment, before any money or statement of the provider has come. */
export function emptyPayment(id: string, provider: string, currency: string, now: Date): Omit<Payment, 'accountId'> {
  return {
    id,
    orderId: null,
    provider,
    status: 'pending',
    currency,
    asked: null,
    invoiceIds: [],
    receipts: [],
    received: 0,
    refunded: 0,
    allocations: [],
    remainder: 0,
    unallocatedReason: null,
    worth: null,
    redirectUrl: null,
    createdAt: now,
    updatedAt: now,
  };
}
