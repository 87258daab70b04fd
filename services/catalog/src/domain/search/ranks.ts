import { fits, type Fit } from './dictionary.ts';

/** Where a word of a product stands, from the place that counts most. */
export const places = { name: 0, key: 1, description: 2 } as const;
export type Place = (typeof places)[keyof typeof places];

const placesOfFit = 3;
/** Greater than every match. */
export const noMatch = 9;

/** A match of one word: a lower number is a better one. How well a word fits counts more than where it stands. */
export function matchOf(fit: Fit, place: Place): number {
  return fit * placesOfFit + place;
}

// A query has at most 200 words, so a sum of one part never reaches the next.
const [perKey, perDescription, perBeginning, perTypo] = [1, 2 ** 8, 2 ** 16, 2 ** 24];

/**
 * What each match adds to the rank of a product; a lower rank comes first. So fewer words with a wrong letter come first, then
 * fewer beginnings, then fewer words of the description, then fewer that are not in the name.
 */
export const rankOfMatch: readonly number[] = Array.from({ length: noMatch }, (_, match) => {
  const fit = Math.floor(match / placesOfFit);
  const place = match % placesOfFit;
  const byFit = fit === fits.typo ? perTypo : fit === fits.beginning ? perBeginning : 0;
  const byPlace = place === places.description ? perDescription : place === places.key ? perKey : 0;
  return byFit + byPlace;
});
