import { isInEuVatArea } from './vat-areas.ts';

export interface VatNumber {
  /** The letters before the number; `XI` is Northern Ireland. */
  readonly prefix: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Prefixes that differ from the country's code, and prefixes of countries outside the EU. */
const otherPrefixes: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB', GB: 'GB', CHE: 'CH', NO: 'NO' };

const wellFormed = /^(?<prefix>CHE|[A-Z]{2})(?=.*\d{2})[0-9A-Z+*]{2,13}$/;

/**
 * Reads the prefix and the country of a VAT number of the EU, the United Kingdom, Switzerland or Norway. Null if the
 * text does not have the form of such a number. Whether the number really exists is not checked. Spaces, dots and
 * hyphens are ignored.
 */
export function vatNumberOf(text: string | null): VatNumber | null {
  const compact = (text ?? '').toUpperCase().replaceAll(/[\s.-]/g, '');
  const prefix = wellFormed.exec(compact)?.groups?.['prefix'];
  if (prefix === undefined) return null;
  const country =
    otherPrefixes[prefix] ?? (isInEuVatArea(prefix) && prefix !== 'GR' && prefix !== 'MC' ? prefix : null);
  return country === null ? null : { prefix, country };
}
