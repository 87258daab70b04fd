import type { billingHttp } from '@storefront/contracts';
import { hashedId } from '../../domain/hashed-id.ts';
import type { ProviderFact, Statement } from './provider-fact.ts';

/** What the provider has stated about one transfer of money, in minor units of its currency. */
export interface Receipt {
  /** The provider's name for it. */
  readonly reference: string;
  /** What came. */
  readonly succeeded: number;
  /** What went back: it follows from `refunds` and `refundedInAll`. */
  readonly refunded: number;
  /** What is claimed back and was not returned: it follows from `disputes`. */
  readonly disputed: number;
  readonly failed: boolean;
  readonly refunds: readonly Refund[];
  /** The newest sum of all refunds; null where the provider states none. */
  readonly refundedInAll: RefundSum | null;
  readonly disputes: readonly Dispute[];
}

export type Refund = Omit<Extract<Statement, { kind: 'refunded' }>, 'kind'>;
export type RefundSum = Omit<Extract<Statement, { kind: 'refunded-in-all' }>, 'kind'>;
export type Dispute = Omit<Extract<Statement, { kind: 'disputed' }>, 'kind'>;

/**
 * Money that a provider was asked for, or that came by itself. It is stored with what each transfer brought and took back, in no
 * order, so that it ends the same in whatever order the provider tells of them.
 */
export interface Payment {
  readonly id: string;
  /** null for money that nobody is known to have paid. */
  readonly accountId: string | null;
  readonly provider: string;
  readonly status: billingHttp.PaymentStatus;
  readonly currency: string;
  /** What was to be paid; null where the money came by itself. */
  readonly asked: number | null;
  readonly invoiceIds: readonly string[];
  readonly receipts: readonly Receipt[];
  /** What came less what went back, in minor units of `currency`. What it is worth is the sum of the allocations and the remainder. */
  readonly received: number;
  readonly refunded: number;
  readonly allocations: readonly { readonly invoiceId: string; readonly amount: number }[];
  /** What paid no invoice: credit of the account, or unallocated money. */
  readonly remainder: number;
  readonly unallocatedReason: billingHttp.UnallocatedReason | null;
  /**
   * Of money of another currency that was allocated: what so much (`of`) is worth in the shop's. `allocations` and `remainder` are in
   * that currency then.
   */
  readonly worth: { readonly amount: number; readonly currency: string; readonly of: number } | null;
  readonly redirectUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The id of money that comes by itself: the same for all that its provider tells of it. */
export function paymentIdOf(provider: string, { reference, currency }: ProviderFact): string {
  return hashedId('pay', provider, reference, currency);
}

/** The id of what stands for the indivisible amounts of a transfer. */
export function indivisibleIdOf(provider: string, { reference, currency }: ProviderFact): string {
  return hashedId('pay', provider, reference, currency, 'indivisible');
}

/** A payment for money that comes by itself. */
export function newPaymentOf(provider: string, fact: ProviderFact, now: Date): Payment {
  return { ...emptyPayment(paymentIdOf(provider, fact), provider, fact.currency, now), accountId: null };
}

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

const maxTransfers = 100;

/**
 * Whether the payment can count what the provider states. Money of another currency is a payment of its own, and so is each transfer
 * beyond the first 100.
 */
export function takesFact(payment: Payment, provider: string, { currency, reference }: ProviderFact): boolean {
  const { receipts } = payment;
  const hasRoom = receipts.length < maxTransfers || receipts.some((receipt) => receipt.reference === reference);
  return payment.provider === provider && payment.currency === currency && hasRoom;
}
