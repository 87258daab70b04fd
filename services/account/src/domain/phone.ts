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
