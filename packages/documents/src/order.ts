import type { billingEvents, Locale } from '@storefront/contracts';

interface OrderPaper {
  readonly locale: Locale;
  /** The number of the order. */
  readonly number: string;
  /** When the order was placed, in the shop's time zone. */
  readonly placedOn: string;
  /** The time that the file says it was made at. */
  readonly madeAt: string;
  readonly seller: billingEvents.DocumentParty;
  /** Where the goods go. */
  readonly recipient: billingEvents.DocumentParty;
  /** The buyer's own number. */
  readonly reference: string | null;
}

interface Goods {
  readonly name: string;
  /** What was chosen of the product's options. */
  readonly values: readonly string[];
  readonly sku: string;
  readonly quantity: number;
}

/** The whole content of an order confirmation. Amounts are in minor units of `currency`; tax rates are in per cent. */
export interface OrderConfirmationDocument extends OrderPaper {
  readonly currency: string;
  readonly buyer: billingEvents.DocumentParty;
  /** The email address of a guest. */
  readonly email: string | null;
  readonly payment: 'card' | 'invoice' | 'none';
  /** Whether prices and amounts contain the tax. Otherwise it comes on top of them. */
  readonly taxIncluded: boolean;
  readonly reverseCharge: boolean;
  readonly lines: readonly (Goods & {
    readonly unitPrice: number;
    readonly discount: number;
    readonly taxRate: number;
    /** Quantity times price, less the discount. */
    readonly amount: number;
  })[];
  readonly shipping: { readonly name: string; readonly price: number; readonly discount: number };
  /** The discounts by their campaigns; they are taken off the lines and shipping. */
  readonly discounts: readonly { readonly name: string; readonly code: string | null; readonly amount: number }[];
  readonly taxes: readonly { readonly rate: number; readonly net: number; readonly tax: number }[];
  readonly total: number;
}

/** The whole content of a packing slip, which names no prices. */
export interface PackingSlipDocument extends OrderPaper {
  /** The name of the shipping option that was ordered. */
  readonly shippingOption: string;
  /** The shipment whose pieces `lines` has; null where they are still to be shipped. */
  readonly shipment: {
    /** In the shop's time zone. */
    readonly shippedOn: string;
    readonly carrier: string | null;
    readonly trackingNumber: string | null;
  } | null;
  readonly lines: readonly Goods[];
}
