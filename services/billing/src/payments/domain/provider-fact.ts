import { hashedId } from '../../domain/hashed-id.ts';
import { emptyPayment, type Dispute, type Payment, type Refund, type RefundSum } from '../../domain/payment.ts';

/**
 * What a provider states about one transfer of money, in the same words for all providers. It is a statement about an object of the
 * provider and never an addition to an earlier one, so that it may be repeated. Amounts are in minor units of the currency.
 */
export type ProviderFact = Transfer & Statement;

interface Transfer {
  /** The payment that the shop named to the provider, or the invoice where there is no payment. */
  readonly paymentId: string | null;
  readonly invoiceNumber: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** The provider's name for the transfer. All facts about it have the same one. */
  readonly reference: string;
}

export type Statement =
  /** All that came so far. */
  | { readonly kind: 'captured'; readonly amount: number }
  | { readonly kind: 'failed' }
  | ({ readonly kind: 'refunded' } & Refund)
  | ({ readonly kind: 'refunded-in-all' } & RefundSum)
  | ({ readonly kind: 'disputed' } & Dispute)
  /** An amount that is no whole number of the currency's minor units. */
  | { readonly kind: 'indivisible' };

const maxTransfers = 100;

/** The id of money that comes by itself: the same for all that its provider states about it. */
export function paymentIdOf(provider: string, { reference, currency }: ProviderFact): string {
  return hashedId('pay', provider, reference, currency);
}

/** The id of the payment that stands for the indivisible amounts of a transfer. */
export function indivisibleIdOf(provider: string, { reference, currency }: ProviderFact): string {
  return hashedId('pay', provider, reference, currency, 'indivisible');
}

/** A payment for money that comes by itself. */
export function newPaymentOf(provider: string, fact: ProviderFact, now: Date): Payment {
  return { ...emptyPayment(paymentIdOf(provider, fact), provider, fact.currency, now), accountId: null };
}

/**
 * Whether the payment can count what the provider states. Money of another currency is a payment of its own, and so is each transfer
 * beyond the first 100.
 */
export function takesFact(payment: Payment, provider: string, { currency, reference }: ProviderFact): boolean {
  const { receipts } = payment;
  const hasRoom = receipts.length < maxTransfers || receipts.some((receipt) => receipt.reference === reference);
  return payment.provider === provider && payment.currency === currency && hasRoom;
}
