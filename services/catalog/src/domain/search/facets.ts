import { catalogHttp } from '@storefront/contracts';
import { firstOf } from './first-of.ts';

/** A value of an attribute. */
export interface CountedValue {
  readonly name: string;
  readonly value: string;
}

/**
 * How many of the places have each number. The numbers of a place stand in `numbers`, from `from[place]` up to the beginning of
 * the next place.
 */
export function countValues(places: Uint32Array, numbers: Uint32Array, from: Uint32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number;
    const end = from[place + 1] as number;
    for (let at = from[place] as number; at < end; at += 1) (counts[numbers[at] as number] as number) += 1;
  }
  return counts;
}

/** The facet with those of the numbers that have a count: the largest counts first, then in the order of their labels. */
export function facetOf(
  field: string,
  numbers: readonly number[],
  countOf: (number: number) => number,
  textsOf: (number: number) => { readonly value: string; readonly label: string },
): catalogHttp.ProductFacet {
  const counted = numbers.filter((number) => countOf(number) > 0);
  const first = firstOf(counted, catalogHttp.mostFacetValues, (one, other) => {
    const byCount = countOf(other) - countOf(one);
    if (byCount !== 0) return byCount;
    const [a, b] = [textsOf(one), textsOf(other)];
    return a.label < b.label ? -1 : a.label > b.label ? 1 : a.value < b.value ? -1 : 1;
  });
  return {
    type: 'values',
    field,
    values: first.map((number) => ({ ...textsOf(number), count: countOf(number) })),
    hasMore: counted.length > first.length,
  };
}
