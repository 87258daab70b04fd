import { isInEuVatArea, vatAreaOf, vatNumberOf } from '@storefront/countries';
import type { Party } from './account.ts';

/**
 * How an invoice is taxed. `domestic` and `eu`: by the rates of its lines, in the seller's country, or elsewhere in the EU for a
 * buyer without a VAT number of there. `reverse-charge`: the buyer owes the tax, elsewhere in the EU. `export`: no tax is charged, as
 * buyer or seller is outside of the EU.
 */
export type TaxTreatment = 'domestic' | 'eu' | 'reverse-charge' | 'export';

/** How an invoice to the buyer is taxed. A number of Northern Ireland (`XI`) puts its buyer inside the EU, as it does for goods. */
export function taxTreatmentOf(
  buyer: Pick<Party, 'country' | 'vatNumber'>,
  seller: Pick<Party, 'country'>,
): TaxTreatment {
  const area = vatAreaOf(buyer.country);
  if (area === vatAreaOf(seller.country)) return 'domestic';
  const number = vatNumberOf(buyer.vatNumber);
  const isInside = isInEuVatArea(area) || (area === 'GB' && number?.prefix === 'XI');
  if (!isInside || !isInEuVatArea(seller.country)) return 'export';
  return number?.country === area ? 'reverse-charge' : 'eu';
}

/** Whether the rates of the lines are charged. */
export function isTaxed(treatment: TaxTreatment): boolean {
  return treatment === 'domestic' || treatment === 'eu';
}
