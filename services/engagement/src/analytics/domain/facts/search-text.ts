import { foldText } from '@storefront/contracts';
import { holdsPersonalData } from './personal-data.ts';

/**
 * The name in reports for all searches whose text is not shown. Searches for this word itself are counted here, too.
 */
export const otherTexts = 'other';

/** The measures that one search with that number of results adds to the sums. */
export function measuresOfSearch(results: number): Readonly<Record<string, number>> {
  return { times: 1, ...(results === 0 && { withoutResult: 1 }) };
}

const longest = 200;

/**
 * Returns the searched text in the form in which texts are compared, at most 200 characters. Returns null where the
 * text must not be kept, for example because it contains personal data.
 */
export function searchTextOf(query: string): string | null {
  if (holdsPersonalData(query)) return null;
  // A character of two UTF-16 units is not cut in half.
  const text = foldText(query)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '');
  return text === otherTexts || text === '' ? null : text;
}
