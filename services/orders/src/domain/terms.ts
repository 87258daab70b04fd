import { shippingPriceOf, type Parcel, type ShippingOption, type ShippingPrice } from './shipping.ts';
import { taxRateFor, taxTreatmentOf, type TaxRates } from './tax.ts';

/** What applies to the shipping and the tax of a cart or order. */
export interface Terms {
  readonly shipping: ShippingPrice;
  /** In basis points; 0 where no tax is charged. */
  readonly rates: {
    readonly shipping: number;
    readonly standard: number;
    readonly reduced: number;
    readonly zero: number;
  };
  /** Whether the buyer owes the tax. */
  readonly reverseCharge: boolean;
}

/** What staff have set about shipping and tax. */
export interface ShopTerms {
  /** The option that the buyer has chosen; undefined where it does not exist any more. */
  readonly option: ShippingOption | undefined;
  readonly taxRates: TaxRates;
  /** ISO 3166-1 alpha-2. */
  readonly sellerCountry: string;
}

/** What applies to a parcel for a buyer with this VAT number, or none. Shipping has the standard rate of its country. */
export function termsFor(
  { option, taxRates, sellerCountry }: ShopTerms,
  { vatNumber, ...parcel }: Parcel & { readonly vatNumber: string | null },
): Terms {
  const { country } = parcel;
  const treatment = taxTreatmentOf({ country, vatNumber }, sellerCountry);
  const rateOf = (taxClass: 'standard' | 'reduced' | 'zero') => taxRateFor(taxRates, { country, treatment, taxClass });
  return {
    shipping: shippingPriceOf(option, parcel),
    rates: {
      shipping: rateOf('standard'),
      standard: rateOf('standard'),
      reduced: rateOf('reduced'),
      zero: rateOf('zero'),
    },
    reverseCharge: treatment === 'reverse-charge',
  };
}
