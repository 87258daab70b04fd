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

/**
 * How an order is taxed whose order system states its tax: by the country to which it goes. Where the order system does
 * not state whether the buyer owes the tax (`reverseCharge` is undefined), the VAT number decides. A stated tax is charged
 * in any case.
 */
export function statedTreatmentOf(
  { reverseCharge, country, tax }: { reverseCharge: boolean | undefined; country: string; tax: number },
  buyer: Pick<Party, 'vatNumber'>,
  seller: Pick<Party, 'country'>,
): TaxTreatment {
  if (reverseCharge === true && tax === 0) return 'reverse-charge';
  const vatNumber = reverseCharge === undefined ? buyer.vatNumber : null;
  const treatment = taxTreatmentOf({ country, vatNumber }, seller);
  return tax > 0 && !isTaxed(treatment) ? 'domestic' : treatment;
}

/** Whether tax is charged by the rates of the lines. */
export function isTaxed(treatment: TaxTreatment): boolean {
  return treatment === 'domestic' || treatment === 'eu';
}
