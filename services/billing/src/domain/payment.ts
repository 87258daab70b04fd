import { billingHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

// Times that a provider states are of its own clock, in seconds, and are compared with its own times alone; 0 where it states none.
const statedTime = z.int();

/** One refund. `failedAt`: when the provider stated that its money stays here after all; null where it has not. */
const refund = z.object({ id: z.string(), amount: z.int(), createdAt: statedTime, failedAt: statedTime.nullable() });
export type Refund = StateOf<typeof refund>;

/** All refunds together, as they stood at that time. */
const refundSum = z.object({ amount: z.int(), statedAt: statedTime });
export type RefundSum = StateOf<typeof refundSum>;

/** One dispute. Its money was taken, or stays here; a closed one is the later state, whatever its time. */
const dispute = z.object({
  id: z.string(),
  amount: z.int(),
  isTaken: z.boolean(),
  isClosed: z.boolean(),
  statedAt: statedTime,
});
export type Dispute = StateOf<typeof dispute>;

/** What the provider has stated about one transfer of money, in minor units of its currency. */
const receipt = z.object({
  /** The provider's name for it. */
  reference: z.string(),
  /** What came. */
  succeeded: z.int(),
  /** What went back: it follows from `refunds` and `refundedInAll`. */
  refunded: z.int(),
  /** What is claimed back and was not returned: it follows from `disputes`. */
  disputed: z.int(),
  failed: z.boolean(),
  refunds: z.array(refund),
  /** The newest sum of all refunds; null where the provider states none. */
  refundedInAll: refundSum.nullable(),
  disputes: z.array(dispute),
});
export type Receipt = StateOf<typeof receipt>;

/**
 * Money that a provider is to collect, or that came by itself. It is stored with the amounts that each transfer brought and took back, in no
 * order, so that it ends the same in whatever order the provider's statements come.
 */
export const payment = z.object({
  id: z.string(),
  /** null for money of an unknown payer. */
  accountId: z.string().nullable(),
  provider: z.string(),
  status: billingHttp.paymentStatus,
  currency: z.string(),
  /** What was to be paid; null where the money came by itself. */
  asked: z.int().nullable(),
  invoiceIds: z.array(z.string()),
  receipts: z.array(receipt),
  /** What came less what went back, in minor units of `currency`. What it is worth is the sum of the allocations and the remainder. */
  received: z.int(),
  refunded: z.int(),
  allocations: z.array(z.object({ invoiceId: z.string(), amount: z.int() })),
  /** What paid no invoice: credit of the account, or unallocated money. */
  remainder: z.int(),
  unallocatedReason: billingHttp.unallocatedReason.nullable(),
  /**
   * Of money of another currency that was allocated: what so much (`of`) is worth in the shop's. `allocations` and `remainder` are in
   * that currency then.
   */
  worth: z.object({ amount: z.int(), currency: z.string(), of: z.int() }).nullable(),
  redirectUrl: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Payment = StateOf<typeof payment>;

/** A payment that nothing has come for. */
export function emptyPayment(id: string, provider: string, currency: string, now: Date): Omit<Payment, 'accountId'> {
  return {
    id,
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
