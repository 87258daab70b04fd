import { foldText } from '@storefront/contracts';
import { holdsPersonalData } from './personal-data.ts';

/** What reports call all searches whose text they do not show. A search for the word itself is one of them. */
export const otherTexts = 'other';

const longest = 200;

/** What is kept of a searched text, in the form in which texts are compared; null where nothing of it is to be kept. */
export function searchTextOf(query: string): string | null {
  if (holdsPersonalData(query)) return null;
  // A letter of two units is not cut in half.
  const text = foldText(query)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '');
  return text === otherTexts || text === '' ? null : text;
}
