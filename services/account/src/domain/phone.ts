import { accountFields, invalidFields, type FieldError } from '@storefront/contracts';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Converts a phone number to E.164; returns null where the text can't be a phone number. A number that begins with + is
 * read by its own country calling code. Any other number is read as dialled in `country`, an ISO 3166-1 alpha-2 code.
 */
export function toE164(phone: string, country?: string): string | null {
  const plan = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(
    phone,
    plan ? { defaultCountry: plan, extract: false } : { extract: false },
  );
  // Checks only that the number is possible, not that it is valid: operators assign ranges that no list of valid
  // numbers has yet.
  return parsed?.isPossible() === true ? parsed.number : null;
}

/**
 * Returns the error of a field whose text is no phone number of the country, and no number of any country that begins
 * with +. Empty where the number is right.
 */
export function phoneErrors(field: string, phone: string, country: string | undefined): readonly FieldError[] {
  return toE164(phone, country) === null ? [accountFields.invalidPhone(field, country)] : [];
}

/** As `toE164`, for a field of a request. Throws an error about the field where the text can't be a phone number. */
export function toE164OrRefuse(field: string, phone: string, country: string | undefined): string {
  const e164 = toE164(phone, country);
  if (e164 === null) throw invalidFields([accountFields.invalidPhone(field, country)]);
  return e164;
}

/**
 * The digits of a number in the two forms that people write: international, and as dialled in its own country. Empty
 * where the number has no digits.
 */
export function writtenForms(e164: string): string[] {
  const digits = e164.replaceAll(/\D/g, '');
  if (digits === '') return [];
  const national = parsePhoneNumberFromString(e164)?.formatNational().replaceAll(/\D/g, '');
  return national === undefined || national === digits ? [digits] : [digits, national];
}
