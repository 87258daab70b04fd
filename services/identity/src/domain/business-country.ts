import { countryInAddress, vatNumberOf } from '@storefront/countries';

/** The fields of an application that may show the country of the business. */
interface Stated {
  /** ISO 3166-1 alpha-2, where the applicant names it. */
  readonly country?: string | undefined;
  readonly vatNumber?: string | null | undefined;
  readonly businessAddress?: string | undefined;
}

/**
 * The country of a business: the stated country, else the country of the VAT number, else the country that the last
 * line of the address names. Null where none of these shows the country: then staff have to state it.
 */
export function countryOfBusiness({ country, vatNumber, businessAddress }: Stated): string | null {
  return country ?? vatNumberOf(vatNumber ?? null)?.country ?? countryInAddress(businessAddress ?? '');
}
