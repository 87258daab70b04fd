import { isInEuVatArea, vatAreaOf, vatNumberOf } from '@storefront/countries';
import type { TaxTreatment } from '../../domain/invoice.ts';
import type { Party } from '../../domain/account.ts';

/**
 * How an invoice to the buyer is taxed. A buyer with a VAT number of Northern Ireland (`XI`) counts as inside the EU,
 * as the VAT rules say for goods.
 */
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

/** Whether tax is charged by the rates of the lines. */
export function isTaxed(treatment: TaxTreatment): boolean {
  return treatment === 'domestic' || treatment === 'eu';
}
