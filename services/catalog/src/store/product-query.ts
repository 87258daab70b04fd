import type { catalogHttp } from '@storefront/contracts';
import { bandsBetween } from '../domain/price-band.ts';
import type { productIndexes } from './collections.ts';
import { after } from './seek.ts';
import type { Order } from './seek.ts';

/** What a list of products was asked for, with category and words already looked up. */
export interface ProductSearch {
  readonly statuses: readonly catalogHttp.ProductStatus[];
  /** The category asked for and all below it; null for any. */
  readonly categoryIds: readonly string[] | null;
  /** How many products are in these, as far as is known: one in two of them may be counted twice. */
  readonly categoryProducts: number;
  /** All of them have to be there, the rarest first; null for any. */
  readonly words: readonly string[] | null;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly sort: catalogHttp.ProductSort;
}

type IndexName = keyof typeof productIndexes;

/**
 * A query of which the index is known beforehand, and with it that no large result is sorted in memory. Its filter does not
 * say that a product is to be alive: no index does.
 */
export interface Query {
  readonly filter: Record<string, unknown>;
  readonly order: Order;
  readonly hint: IndexName;
}

const orders = {
  newest: {
    order: [
      ['createdAt', -1],
      ['_id', -1],
    ],
    index: 'newest',
  },
  price: {
    order: [
      ['price.amount', 1],
      ['_id', 1],
    ],
    index: 'cheapest',
  },
  '-price': {
    order: [
      ['price.amount', -1],
      ['_id', -1],
    ],
    index: 'cheapest',
  },
  name: {
    order: [
      ['nameKey', 1],
      ['_id', 1],
    ],
    index: 'name',
  },
} as const satisfies Record<catalogHttp.ProductSort, { order: Order; index: string }>;

// The server merges so many stretches of an index in order; with more it would sort in memory (its setting
// internalQueryMaxScansToExplode is 200). So many categories are most of a shop: then the list is read in its order and
// what is in none of them is left out.
const mostStretches = 200;

// Both ways in read too much in the worst case, and no index holds categories and words together. So few products are
// read through whatever the word; where there are more, a word leads to less than they are.
const fewProducts = 1000;

// A list whose price limits leave so few is read by price and put in order then. Where the index tells it all, that is
// far cheaper than reading products; where the bands of its prices can be gone through, few need to be left for it.
const fewToRead = 500;
const fewInIndex = 2000;
const fewBesideBands = 300;

/**
 * The query for products from a position of the list on. `isRare` says that price limits leave few: reading in the order
 * of the list could then go through all of a shop for a page.
 */
export function queryFor(search: ProductSearch, position: readonly unknown[] | undefined, isRare = false): Query {
  const { order, index } = orders[search.sort];
  const filter = { ...after(order, position), ...conditions(search) };
  const way = wayIn(search);
  if (isRare) return { filter, order, hint: `${way}_cheapest` };
  const banded = inBands(search);
  if (banded) return { filter: { ...filter, priceBand: { $in: banded.bands } }, order, hint: banded.hint };
  return { filter, order, hint: `${way}_${index}` };
}

/** Whether the index that the search is read by tells all that it asks for, and the order too. */
export function isToldByIndex(search: ProductSearch, position: readonly unknown[] | undefined): boolean {
  const { categoryIds, words } = search;
  if (position !== undefined) return false;
  switch (wayIn(search)) {
    case 'status':
      return categoryIds === null && words === null;
    case 'category':
      return words === null;
    case 'word':
      return categoryIds === null && words?.length === 1;
  }
}

/**
 * What to look at to know whether price limits leave no more than `few`; null where the order by price makes it all one. It
 * is what the index can tell, as those are the products that would be read.
 */
export function fewFor(
  search: ProductSearch,
  isTold: boolean,
): (Pick<Query, 'filter' | 'hint'> & { readonly few: number }) | null {
  const { minPrice, maxPrice, sort, categoryIds, words } = search;
  if ((minPrice === undefined && maxPrice === undefined) || orders[sort].index === 'cheapest') return null;
  const way = wayIn(search);
  const known = {
    ...search,
    categoryIds: way === 'category' ? categoryIds : null,
    words: way === 'word' ? (words?.slice(0, 1) ?? null) : null,
  };
  const few = inBands(search) ? fewBesideBands : isTold ? fewInIndex : fewToRead;
  return { filter: conditions(known), hint: `${way}_cheapest`, few };
}

/** What to count to know how rare a word is. */
export function countOfWord(word: string, statuses: ProductSearch['statuses']): Pick<Query, 'filter' | 'hint'> {
  return { filter: { words: word, status: { $in: [...statuses] } }, hint: 'word_newest' };
}

/** The bands of prices that the list goes through, merged in its order; null where that is no way to read it. */
function inBands(search: ProductSearch): { readonly bands: readonly number[]; readonly hint: IndexName } | null {
  const { statuses, categoryIds, minPrice, maxPrice, sort } = search;
  const { index } = orders[sort];
  const way = wayIn(search);
  if ((minPrice === undefined && maxPrice === undefined) || index === 'cheapest' || way === 'word') return null;
  const bands = bandsBetween(minPrice ?? 0, maxPrice ?? Number.MAX_SAFE_INTEGER);
  const branches = way === 'category' ? (categoryIds?.length ?? 1) : 1;
  if (bands.length * branches * statuses.length > mostStretches) return null;
  return { bands, hint: `${way}_band_${index}` };
}

function conditions({ statuses, categoryIds, words, minPrice, maxPrice }: ProductSearch): Record<string, unknown> {
  const each = [
    ...(minPrice === undefined ? [] : [{ 'price.amount': { $gte: minPrice } }]),
    ...(maxPrice === undefined ? [] : [{ 'price.amount': { $lte: maxPrice } }]),
    ...(words ?? []).map((word) => ({ words: word })),
    ...(categoryIds ? [{ categoryIds: { $in: [...categoryIds] } }] : []),
  ];
  return { status: { $in: [...statuses] }, ...(each.length > 0 ? { $and: each } : {}) };
}

function wayIn({ statuses, categoryIds, categoryProducts, words }: ProductSearch): 'status' | 'category' | 'word' {
  const byCategory = categoryIds !== null && categoryIds.length * statuses.length <= mostStretches;
  if (words !== null && !(byCategory && categoryProducts <= fewProducts)) return 'word';
  return byCategory ? 'category' : 'status';
}
