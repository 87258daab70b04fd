import { countryInAddress, vatNumberOf } from '@storefront/countries';

/** The fields of an application that may show the country of the business. */
interface Stated {
  /** ISO 3166-1 alpha-2, where the applicant names it. */
  readonly country?: string | undefined;
  readonly vatNumber?: string | null | undefined;
  readonly businessAddress?: string | undefined;
}

/**
 * The country of a business: the stated one, else that of its VAT number, else the one that the last line of its address names.
 * Null where none of them shows it: then an administrator states it.
 */
export function countryOfBusiness({ country, vatNumber, businessAddress }: Stated): string | null {
  return country ?? vatNumberOf(vatNumber ?? null)?.country ?? countryInAddress(businessAddress ?? '');
}
