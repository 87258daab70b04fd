import { isInEuVatArea } from './vat-areas.ts';

export interface VatNumber {
  /** `XI` is Northern Ireland. */
  readonly prefix: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Prefixes that are no code of their country, or of a country outside of the EU. */
const otherPrefixes: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB', GB: 'GB', CHE: 'CH', NO: 'NO' };

const wellFormed = /^(?<prefix>CHE|[A-Z]{2})(?=.*\d{2})[0-9A-Z+*]{2,13}$/;

/**
 * What a VAT number says about its country: one of the EU, of the United Kingdom, Switzerland or Norway. Null for a text that is not
 * of their form; whether such a number was given out is not known. Spaces, dots and hyphens do not count.
 */
export function vatNumberOf(text: string | null): VatNumber | null {
  const compact = (text ?? '').toUpperCase().replaceAll(/[\s.-]/g, '');
  const prefix = wellFormed.exec(compact)?.groups?.['prefix'];
  if (prefix === undefined) return null;
  const country =
    otherPrefixes[prefix] ?? (isInEuVatArea(prefix) && prefix !== 'GR' && prefix !== 'MC' ? prefix : null);
  return country === null ? null : { prefix, country };
}
