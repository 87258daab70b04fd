const members = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '));

/** Countries of ISO 3166-1 that are treated as a part of another one (VAT directive, art. 7). */
const partsOf: ReadonlyMap<string, string> = new Map([
  ['MC', 'FR'],
  ['IM', 'GB'],
]);

/**
 * The country to whose VAT area a country belongs: Monaco to that of France, the Isle of Man to that of the United Kingdom, every
 * other one to its own. Overseas territories with a code of their own, such as Réunion or Åland, are outside of their state's area.
 */
export function vatAreaOf(country: string): string {
  return partsOf.get(country) ?? country;
}

/** Whether the country belongs to the VAT area of the EU. Northern Ireland does for goods, and is not distinguished from `GB` here. */
export function isInEuVatArea(country: string): boolean {
  return members.has(vatAreaOf(country));
}
