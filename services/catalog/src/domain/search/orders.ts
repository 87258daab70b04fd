import type { catalogHttp, Position } from '@storefront/contracts';

/** The columns by which products are put in order. */
export interface OrderColumns {
  readonly ids: readonly string[];
  readonly nameKeys: readonly string[];
  /** The ranks of the names of the first `ranked` places. */
  readonly nameRanks: Uint32Array;
  readonly ranked: number;
  readonly prices: Float64Array;
  readonly createdAt: Float64Array;
  readonly ranks: Float64Array;
}

/** An order of places. No two places are equal in it. */
export interface PlaceOrder {
  /** Below 0 if the first place comes first. */
  readonly compare: (one: number, other: number) => number;
  /** Above 0 if the place comes after the position. */
  readonly compareTo: (place: number, position: Position) => number;
  readonly positionOf: (place: number) => Position;
}

export function orderBy(
  sort: catalogHttp.ProductSort,
  { ids, nameKeys, nameRanks, ranked, prices, createdAt, ranks }: OrderColumns,
): PlaceOrder {
  const number = (column: Float64Array, place: number) => column[place] as number;
  const text = (column: readonly string[], place: number) => column[place] as string;
  const newest = (one: number, other: number) =>
    number(createdAt, other) - number(createdAt, one) || compareTexts(text(ids, other), text(ids, one));
  const toNewest = (place: number, [at, id]: Position) =>
    Number(at) - number(createdAt, place) || compareTexts(id as string, text(ids, place));
  const price = (one: number, other: number) =>
    number(prices, one) - number(prices, other) || compareTexts(text(ids, one), text(ids, other));
  const toPrice = (place: number, [amount, id]: Position) =>
    number(prices, place) - (amount as number) || compareTexts(text(ids, place), id as string);
  const newestPosition = (place: number): Position => [new Date(number(createdAt, place)), text(ids, place)];
  const pricePosition = (place: number): Position => [number(prices, place), text(ids, place)];

  switch (sort) {
    case 'newest':
      return { compare: newest, compareTo: toNewest, positionOf: newestPosition };
    case 'price':
      return { compare: price, compareTo: toPrice, positionOf: pricePosition };
    case '-price':
      return {
        compare: (one, other) => price(other, one),
        compareTo: (place, position) => -toPrice(place, position),
        positionOf: pricePosition,
      };
    case 'name':
      return {
        compare: (one, other) =>
          (one < ranked && other < ranked
            ? (nameRanks[one] as number) - (nameRanks[other] as number)
            : compareTexts(text(nameKeys, one), text(nameKeys, other))) ||
          compareTexts(text(ids, one), text(ids, other)),
        compareTo: (place, [name, id]) =>
          compareTexts(text(nameKeys, place), name as string) || compareTexts(text(ids, place), id as string),
        positionOf: (place) => [text(nameKeys, place), text(ids, place)],
      };
    case 'relevance':
      return {
        compare: (one, other) => number(ranks, one) - number(ranks, other) || newest(one, other),
        compareTo: (place, [rank, ...position]) => number(ranks, place) - (rank as number) || toNewest(place, position),
        positionOf: (place) => [number(ranks, place), ...newestPosition(place)],
      };
  }
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
