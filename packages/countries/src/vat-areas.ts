const members = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '));

/** Countries in ISO 3166-1 that count as a part of another country for VAT (VAT directive, art. 7). */
const partsOf: ReadonlyMap<string, string> = new Map([
  ['MC', 'FR'],
  ['IM', 'GB'],
]);

/**
 * The country to whose VAT area a country belongs: Monaco belongs to France, the Isle of Man to the United Kingdom, and
 * every other country to itself. So overseas territories with a code of their own, such as Réunion or Åland, do not
 * belong to the VAT area of their state.
 */
export function vatAreaOf(country: string): string {
  return partsOf.get(country) ?? country;
}

/**
 * Whether the country belongs to the VAT area of the EU. Northern Ireland does for goods, but it has the code `GB` like
 * the rest of the United Kingdom, so it counts as outside here.
 */
export function isInEuVatArea(country: string): boolean {
  return members.has(vatAreaOf(country));
}
