import type { Language } from './words/translate.ts';

/** Where the shop ships to, the first one being offered first. */
const shipsTo = 'DE AT BE CH CZ DK ES FI FR GB IE IT LU NL NO PL PT SE US'.split(' ');

export const homeCountry = 'DE';

export function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}

/** What a `select` of countries offers. */
export function countryOptions(language: Language): [code: string, name: string][] {
  return shipsTo.map((code) => [code, countryName(code, language)]);
}
