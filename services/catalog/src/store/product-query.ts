import type { catalogHttp } from '@storefront/contracts';
import type { Order } from '@storefront/mongo';
import type { ProductIndex } from './collections.ts';

/** The search criteria of a list of products. */
export interface ProductSearch {
  /** Only these products; null for all. */
  readonly ids: readonly string[] | null;
  readonly statuses: readonly catalogHttp.ProductStatus[];
  /**
   * The category and all categories below it, with the number of their products; null for products of all categories.
   */
  readonly branch: { readonly ids: readonly string[]; readonly products: number } | null;
  /** A product must have all of these words; null for no search by words. */
  readonly words: readonly string[] | null;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly sort: catalogHttp.ProductSort;
}

/**
 * A database query with its index. With this index the results are already in the requested order, so nothing is sorted
 * in memory; only products that are named by their ids are.
 */
export interface SearchQuery {
  readonly filter: Record<string, unknown>;
  readonly order: Order;
  readonly hint: ProductIndex | '_id_';
  /**
   * Only for a list with price limits that is not sorted by price: the filter and the index to count the products
   * within the limits. The count reads only the index.
   */
  readonly withinPrices: { readonly filter: Record<string, unknown>; readonly hint: ProductIndex } | null;
}

const orders: Record<catalogHttp.ProductSort, { readonly order: Order; readonly suffix: 'newest' | 'price' | 'name' }> =
  {
    newest: { order: { createdAt: -1, _id: -1 }, suffix: 'newest' },
    price: { order: { 'price.amount': 1, _id: 1 }, suffix: 'price' },
    '-price': { order: { 'price.amount': -1, _id: -1 }, suffix: 'price' },
    name: { order: { nameKey: 1, _id: 1 }, suffix: 'name' },
  };

// MongoDB can merge at most 200 ranges of an index in order (internalQueryMaxScansToExplode); with more ranges it sorts
// in memory. A list that needs more ranges covers most of the shop. So it is read by status, and products of other
// categories are skipped.
const maxRanges = 200;
// No index covers both words and categories. If a category has only few products, all of them are read, however common
// a word is.
const fewInCategory = 1000;
// MongoDB tries an index for each word of a query, so each further word makes a search slower. So only the three
// longest words, which are rarely common, are looked up in an index. The others are only compared.
const triedWords = 3;

export function searchQuery({ ids, statuses, branch, words, minPrice, maxPrice, sort }: ProductSearch): SearchQuery {
  const { order, suffix } = orders[sort];
  const status = { status: { $in: [...statuses] } };
  const category = branch ? { categoryIds: { $in: [...branch.ids] } } : {};
  const price = {
    ...(minPrice === undefined ? {} : { $gte: minPrice }),
    ...(maxPrice === undefined ? {} : { $lte: maxPrice }),
  };
  const hasLimits = Object.keys(price).length > 0;
  const limits = hasLimits ? { 'price.amount': price } : {};
  const longestFirst = (words ?? []).toSorted((one, other) => other.length - one.length);

  const hasCategoryRanges = branch !== null && branch.ids.length * statuses.length <= maxRanges;
  const byCategory = hasCategoryRanges && (words === null || branch.products <= fewInCategory);
  const first = byCategory ? 'category' : words === null ? 'status' : 'word';
  const inFirst = { category, status: {}, word: { words: longestFirst[0] } }[first];
  const filter = { ...status, ...limits, ...category, ...haveWords(longestFirst) };
  if (ids !== null) return { filter: { _id: { $in: [...ids] }, ...filter }, order, hint: '_id_', withinPrices: null };
  return {
    filter,
    order,
    hint: `${first}_${suffix}`,
    withinPrices:
      !hasLimits || suffix === 'price'
        ? null
        : { filter: { ...status, ...inFirst, ...limits }, hint: `${first}_price` },
  };
}

function haveWords(longestFirst: readonly string[]): Record<string, unknown> {
  const tried = longestFirst.slice(0, triedWords);
  const compared = longestFirst.slice(triedWords);
  return {
    ...(tried.length > 0 ? { words: { $all: tried } } : {}),
    ...(compared.length > 0 ? { $expr: { $setIsSubset: [{ $literal: compared }, '$words'] } } : {}),
  };
}
