/** What a provider told about money, in the same words for all providers. The amount is in minor units of the currency. */
export interface ProviderFact {
  /** `dispute-won`: money that was claimed back stays here after all. */
  readonly kind: 'succeeded' | 'failed' | 'refunded' | 'disputed' | 'dispute-won';
  /** What the provider was asked to name: the payment, or the invoice where there is no payment. */
  readonly paymentId: string | null;
  readonly invoiceNumber: string | null;
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The provider's name for the transfer. All facts about it have the same one. */
  readonly reference: string;
  /** The amount is all that was refunded so far, and not what this fact adds to it. */
  readonly isCumulative: boolean;
}
