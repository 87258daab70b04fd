// Each band reaches a tenth further up than it begins.
const widthOfBand = Math.log(1.1);

/**
 * The band that a price in minor units is in. Lists are kept in order for each band, so that one between two prices goes
 * through the bands between them and leaves the rest of the shop alone.
 */
export function bandOf(amount: number): number {
  return amount === 0 ? 0 : 1 + Math.floor(Math.log(amount) / widthOfBand);
}

/** The bands in which the prices from `min` to `max` are, both included. */
export function bandsBetween(min: number, max: number): number[] {
  const first = bandOf(min);
  return Array.from({ length: bandOf(max) - first + 1 }, (_, place) => first + place);
}
