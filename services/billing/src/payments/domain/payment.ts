import type { billingHttp } from '@storefront/contracts';

/** What the provider has told about one transfer of money, in minor units of its currency. */
export interface Receipt {
  /** The provider's name for it. */
  readonly reference: string;
  /** What came. */
  readonly succeeded: number;
  /** What went back. */
  readonly refunded: number;
  /** What was claimed back. */
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
  /** What came less what went back, in minor units of `currency`: the sum of the allocations and the remainder. */
  readonly received: number;
  readonly refunded: number;
  readonly allocations: readonly { readonly invoiceId: string; readonly amount: number }[];
  /** What paid no invoice: credit of the account, or unallocated money. */
  readonly remainder: number;
  readonly unallocatedReason: billingHttp.UnallocatedReason | null;
  /** Of money of another currency that was allocated: what it is worth in the shop's. `allocations` and `remainder` are in that. */
  readonly worth: { readonly amount: number; readonly currency: string } | null;
  readonly redirectUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
