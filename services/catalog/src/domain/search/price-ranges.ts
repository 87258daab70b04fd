import { catalogHttp } from '@storefront/contracts';

/** The places in the lists by their prices: the lowest, the highest, and how many there are in ranges of equal width. */
export function priceFacet(prices: Float64Array, lists: readonly Uint32Array[]): catalogHttp.ProductFacet {
  let [min, max] = [Infinity, -Infinity];
  for (const places of lists) {
    for (let index = 0; index < places.length; index += 1) {
      const price = prices[places[index] as number] as number;
      if (price < min) min = price;
      if (price > max) max = price;
    }
  }
  if (min > max) return { type: 'ranges', field: 'price', min: null, max: null, ranges: [] };
  const width = widthOfRanges(min, max);
  const first = Math.floor(min / width);
  const counts = new Uint32Array(Math.floor(max / width) - first + 1);
  for (const places of lists)
    for (let index = 0; index < places.length; index += 1)
      (counts[Math.floor((prices[places[index] as number] as number) / width) - first] as number) += 1;
  const ranges = Array.from(counts, (count, at) => {
    const from = (first + at) * width;
    return { from, to: from + width - 1, count };
  });
  return { type: 'ranges', field: 'price', min, max, ranges: ranges.filter(({ count }) => count > 0) };
}

/** The least of 1, 2, 5, 10, 20, 50 … with which the fewest ranges that are allowed reach from the lowest price to the highest. */
function widthOfRanges(min: number, max: number): number {
  for (let power = 1; ; power *= 10)
    for (const width of [power, 2 * power, 5 * power])
      if (Math.floor(max / width) - Math.floor(min / width) < catalogHttp.mostPriceRanges) return width;
}
