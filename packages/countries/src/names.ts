import { countryCodes } from '@storefront/contracts';

/** Languages in which people write the names of countries, besides those of each country itself. English has the first word. */
const languages =
  'en de fr es it nl pt pl sv da fi nb cs sk hu ro bg el hr sl et lv lt ga mt is uk ru tr zh zh-Hant ja ko ar he th hi';

/** Names that Unicode's tables do not have. */
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

/** What two countries are called, or a country and a part of another one: behind the name of a town it says nothing. */
const isAlsoARegion = new Set(['georgia']);

const english = new Intl.DisplayNames(['en'], { type: 'region' });
let codesByName: ReadonlyMap<string, string> | undefined;

/** The English name of a country; what is no code stays as it is. */
export function nameOfCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (english.of(code) ?? code) : code;
}

/**
 * The ISO 3166-1 code of the country that the text names: by its code, or by its name in English, in its own language or in one of
 * some others. Null where it names none.
 */
export function countryNamed(text: string): string | null {
  codesByName ??= readNames();
  return codesByName.get(comparable(text)) ?? null;
}

/**
 * The country that the last line of an address names: as the whole line, behind its last comma, or before the postal code
 * (`CH-8001 Zürich`). A code of two letters behind a comma counts for nothing: it may be that of a state, as in `Wilmington, DE`.
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

/** Before postal codes some write the letters that cars of the country have. */
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

/** A name that two countries share in different languages is the one's whose language comes first. Takes some 80 ms. */
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

/** Without what people leave out or write in another way: case, accents of Latin letters, points, articles. */
function comparable(name: string): string {
  const lower = name.toLowerCase().trim();
  // Nearly all names; what follows is slow.
  const plain = /^[a-z ]+$/.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replaceAll(/[\u0300-\u036f.,'’()]/g, '')
        .replaceAll('&', 'and');
  return plain.replaceAll(/\s+/g, ' ').trim().replace(/^the /, '');
}
