import { accountFields, invalidFields, type FieldError } from '@storefront/contracts';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A phone number as E.164, or null where it can't be one. What begins with + is read by its own country calling code,
 * anything else as it is dialled in `country`, an ISO 3166-1 alpha-2 code.
 */
export function toE164(phone: string, country?: string): string | null {
  const plan = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(
    phone,
    plan ? { defaultCountry: plan, extract: false } : { extract: false },
  );
  // Possible, not valid: operators hand out ranges that no list of valid ones has yet.
  return parsed?.isPossible() === true ? parsed.number : null;
}

/** Whether the field holds a phone number of the country, or of any country where it begins with +. */
export function phoneErrors(field: string, phone: string, country: string | undefined): readonly FieldError[] {
  return toE164(phone, country) === null ? [accountFields.invalidPhone(field, country)] : [];
}

/** As `toE164`, for a field of a request; throws where it can't be a number. */
export function toE164OrRefuse(field: string, phone: string, country: string | undefined): string {
  const e164 = toE164(phone, country);
  if (e164 === null) throw invalidFields([accountFields.invalidPhone(field, country)]);
  return e164;
}

/**
 * The digits of a number as people write them: international, and as dialled in its own country. None where there are
 * no digits in it.
 */
export function writtenForms(e164: string): string[] {
  const digits = e164.replaceAll(/\D/g, '');
  if (digits === '') return [];
  const national = parsePhoneNumberFromString(e164)?.formatNational().replaceAll(/\D/g, '');
  return national === undefined || national === digits ? [digits] : [digits, national];
}
