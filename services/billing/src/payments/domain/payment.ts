import type { billingHttp } from '@storefront/contracts';
import { hashedId } from '../../domain/hashed-id.ts';
import type { ProviderFact } from './provider-fact.ts';

/** What the provider has told about one transfer of money, in minor units of its currency. */
export interface Receipt {
  /** The provider's name for it. */
  readonly reference: string;
  /** What came. */
  readonly succeeded: number;
  /** What went back. */
  readonly refunded: number;
  /** What was claimed back, less what of it stays here after all; below 0 where that was told first. */
  readonly disputed: number;
  readonly failed: boolean;
}

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

/** Whether the payment can count what the provider tells. Money of another currency is a payment of its own. */
export function takesFact(payment: Payment, provider: string, { currency }: ProviderFact): boolean {
  return payment.provider === provider && payment.currency === currency;
}
