import { hashedId } from './hashed-id.ts';
import { emptyPayment, type Dispute, type Payment, type Refund, type RefundSum } from './payment.ts';

/**
 * A statement of a provider about one transfer of money, in the same form for all providers. It states how something
 * is, and does not add to an earlier statement, so it may be repeated. Amounts are in minor units of the currency.
 */
export type ProviderFact = Transfer & Statement;

interface Transfer {
  /** The id of the shop's payment, if the provider names it; otherwise `invoiceNumber` may name an invoice. */
  readonly paymentId: string | null;
  readonly invoiceNumber: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** The provider's id of the transfer. All facts about the transfer have the same one. */
  readonly reference: string;
}

export type Statement =
  /** The whole amount received so far. */
  | { readonly kind: 'captured'; readonly amount: number }
  | { readonly kind: 'failed' }
  | ({ readonly kind: 'refunded' } & Refund)
  | ({ readonly kind: 'refunded-in-all' } & RefundSum)
  | ({ readonly kind: 'disputed' } & Dispute)
  /** The stated amount is not a whole number of the currency's minor units. */
  | { readonly kind: 'indivisible' };

const maxTransfers = 100;

/**
 * The id of a payment for money that came without a request. All statements about the same transfer give the same id.
 */
export function paymentIdOf(provider: string, { reference, currency }: ProviderFact): string {
  return hashedId('pay', provider, reference, currency);
}

/** The id of the payment that shows a transfer's indivisible amounts to staff. */
export function indivisibleIdOf(provider: string, { reference, currency }: ProviderFact): string {
  return hashedId('pay', provider, reference, currency, 'indivisible');
}

/** A payment for money that came without a request of the shop. */
export function newPaymentOf(provider: string, fact: ProviderFact, now: Date): Payment {
  return { ...emptyPayment(paymentIdOf(provider, fact), provider, fact.currency, now), accountId: null };
}

/**
 * Whether the payment can count the provider's statement. Money of another currency becomes a separate payment, and so
 * does each transfer after the first 100.
 */
export function takesFact(payment: Payment, provider: string, { currency, reference }: ProviderFact): boolean {
  const { receipts } = payment;
  const hasRoom = receipts.length < maxTransfers || receipts.some((receipt) => receipt.reference === reference);
  return payment.provider === provider && payment.currency === currency && hasRoom;
}
