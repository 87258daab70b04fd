import type { Party } from './account.ts';

/** The member states of the EU by the prefixes of their VAT numbers. `XI` is Northern Ireland, which is in it for goods. */
const members: ReadonlyMap<string, string> = new Map([
  ...'AT BE BG CY CZ DE DK EE ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'
    .split(' ')
    .map((country) => [country, country] as const),
  ['EL', 'GR'],
  ['XI', 'GB'],
]);

const wellFormed = /^[A-Z]{2}[0-9A-Z+*]{2,13}$/;

/** The prefix of a VAT number of the EU that is well-formed; null for any other text. Spaces, dots and hyphens do not count. */
function prefixOf(vatNumber: string | null): string | null {
  const compact = (vatNumber ?? '').toUpperCase().replaceAll(/[\s.-]/g, '');
  const prefix = compact.slice(0, 2);
  // Each member's numbers have digits: a word is none.
  return wellFormed.test(compact) && /\d{2}/.test(compact) && members.has(prefix) ? prefix : null;
}

/** The country of a business: that of its VAT number in the EU, else the seller's. */
export function countryOf(vatNumber: string | null, seller: Pick<Party, 'country'>): string {
  return members.get(prefixOf(vatNumber) ?? '') ?? seller.country;
}

/** Whether the buyer owes the tax: it has a VAT number of another country of the EU than the seller, who is in the EU. */
export function isReverseCharge(buyer: Pick<Party, 'vatNumber'>, seller: Pick<Party, 'country'>): boolean {
  const country = members.get(prefixOf(buyer.vatNumber) ?? '');
  const isSellerInside = [...members].some(([prefix, member]) => member === seller.country && prefix !== 'XI');
  return isSellerInside && country !== undefined && country !== seller.country;
}
