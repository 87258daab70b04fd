/**
 * What a provider states about one transfer of money, in the same words for all providers. It is a statement about an object of the
 * provider and never an addition to an earlier one, so that it may be repeated. Amounts are in minor units of the currency.
 */
export type ProviderFact = Transfer & Statement;

interface Transfer {
  /** What the provider was asked to name: the payment, or the invoice where there is no payment. */
  readonly paymentId: string | null;
  readonly invoiceNumber: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** The provider's name for the transfer. All facts about it have the same one. */
  readonly reference: string;
}

/** Times are of the provider's clock, in seconds, and are compared with its own times alone; 0 where it states none. */
export type Statement =
  /** All that came so far. */
  | { readonly kind: 'captured'; readonly amount: number }
  | { readonly kind: 'failed' }
  /** One refund. `failedAt`: when the provider stated that its money stays here after all; null where it has not. */
  | {
      readonly kind: 'refunded';
      readonly id: string;
      readonly amount: number;
      readonly createdAt: number;
      readonly failedAt: number | null;
    }
  /** All refunds together, as they stood at that time. */
  | { readonly kind: 'refunded-in-all'; readonly amount: number; readonly statedAt: number }
  /** One dispute. Its money was taken, or stays here; a closed one is the later state, whatever its time. */
  | {
      readonly kind: 'disputed';
      readonly id: string;
      readonly amount: number;
      readonly isTaken: boolean;
      readonly isClosed: boolean;
      readonly statedAt: number;
    }
  /** An amount that is no whole number of the currency's minor units. */
  | { readonly kind: 'indivisible' };
