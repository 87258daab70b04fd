import { countryCodes } from '@storefront/contracts';

/**
 * The languages in which people may write the names of countries, besides each country's own languages. If two
 * languages use the same name for different countries, the language listed first counts; English is the first.
 */
const languages =
  'en de fr es it nl pt pl sv da fi nb cs sk hu ro bg el hr sl et lv lt ga mt is uk ru tr zh zh-Hant ja ko ar he th hi';

/** Names that are missing in Unicode's tables. */
const furtherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  BA: ['Bosnia'],
  CD: ['Democratic Republic of the Congo', 'DR Congo'],
  CG: ['Republic of the Congo'],
  CI: ['Ivory Coast'],
  CN: ["People's Republic of China", 'PR China', 'Mainland China', '中华人民共和国'],
  CV: ['Cape Verde'],
  CZ: ['Czech Republic', 'Česká republika'],
  DE: ['Federal Republic of Germany', 'Bundesrepublik Deutschland'],
  GB: ['UK', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  GR: ['EL', 'Hellas'],
  IE: ['Republic of Ireland'],
  KR: ['Republic of Korea', 'Korea', '대한민국'],
  MM: ['Burma'],
  MO: ['Macau'],
  NL: ['Holland'],
  RU: ['Russian Federation'],
  SK: ['Slovak Republic'],
  SZ: ['Swaziland'],
  TH: ['ประเทศไทย'],
  TR: ['Turkey'],
  TW: ['Taiwan R.O.C.'],
  US: ['USA', 'United States of America', 'America'],
  VA: ['Vatican'],
  VN: ['Viet Nam'],
};

/**
 * Names that belong to two countries, or to a country and a region of another country. After the name of a town such a
 * name does not tell the country, so it is ignored there.
 */
const isAlsoARegion = new Set(['georgia']);

const english = new Intl.DisplayNames(['en'], { type: 'region' });
let codesByName: ReadonlyMap<string, string> | undefined;

/** The name of a country, in English or in another language. A text that is not a country code is returned unchanged. */
export function nameOfCountry(code: string, language = 'en'): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const names = language === 'en' ? english : new Intl.DisplayNames([language], { type: 'region' });
  return names.of(code) ?? code;
}

/**
 * The ISO 3166-1 code of the country that the text names: by its code, or by its name in English, in one of its own
 * languages or in some other languages. Null if the text names no country.
 */
export function countryNamed(text: string): string | null {
  codesByName ??= readNames();
  return codesByName.get(comparable(text)) ?? null;
}

/**
 * The country in the last line of an address: the whole line, the text after its last comma, or the letters before the
 * postal code (`CH-8001 Zürich`). A code of two letters after a comma is ignored, because it may be the code of a
 * state, as in `Wilmington, DE`. Null if no country is found.
 */
export function countryInAddress(address: string): string | null {
  const line =
    address
      .split('\n')
      .map((each) => each.trim())
      .findLast((each) => each !== '') ?? '';
  const [, prefix] = /^(\p{Lu}{1,2})-\d{3}/u.exec(line) ?? [];
  return countryNamed(line) ?? behindComma(line) ?? (prefix === undefined ? null : countryOfPostalPrefix(prefix));
}

function behindComma(line: string): string | null {
  const parts = line.split(/[,،、，]/);
  const last = parts.at(-1)?.trim() ?? '';
  if (parts.length < 2 || isAlsoARegion.has(comparable(last))) return null;
  return /^\p{L}{2}$/u.test(last) && last.toUpperCase() !== 'UK' && countryCodes.includes(last.toUpperCase())
    ? null
    : countryNamed(last);
}

/** International car letters of countries. Some people write them before the postal code, as in `D-10115 Berlin`. */
const lettersOfCars: Readonly<Record<string, string>> = {
  A: 'AT',
  B: 'BE',
  D: 'DE',
  F: 'FR',
  I: 'IT',
  L: 'LU',
};

function countryOfPostalPrefix(prefix: string): string | null {
  return lettersOfCars[prefix] ?? (countryCodes.includes(prefix) ? prefix : null);
}

/**
 * Collects the names of all countries. If two countries have the same name in different languages, the name belongs to
 * the language that comes first. Takes about 80 ms.
 */
function readNames(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const add = (name: string | undefined, code: string) => {
    const key = comparable(name ?? '');
    if (key !== '' && !codes.has(key)) codes.set(key, code);
  };
  for (const code of countryCodes) add(code, code);
  for (const [code, names] of Object.entries(furtherNames)) for (const name of names) add(name, code);
  const short = new Intl.DisplayNames(['en'], { type: 'region', style: 'short' });
  for (const code of countryCodes) {
    const { language, script } = new Intl.Locale(`und-${code}`).maximize();
    const own = new Intl.DisplayNames([`${language}-${script ?? ''}`.replace(/-$/, '')], { type: 'region' });
    for (const names of [english, short, own]) add(names.of(code), code);
  }
  for (const language of languages.split(' ')) {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of countryCodes) add(names.of(code), code);
  }
  return codes;
}

/**
 * The form in which names are compared: lower case, without Latin accents, dots, commas, apostrophes, brackets and a
 * leading `the`.
 */
function comparable(name: string): string {
  const lower = name.toLowerCase().trim();
  // Nearly all names need no further steps, which are slow.
  const plain = /^[a-z ]+$/.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replaceAll(/[\u0300-\u036f.,'’()]/g, '')
        .replaceAll('&', 'and');
  return plain.replaceAll(/\s+/g, ' ').trim().replace(/^the /, '');
}
