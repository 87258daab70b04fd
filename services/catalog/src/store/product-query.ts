import type { catalogHttp } from '@storefront/contracts';
import type { Order } from '@storefront/mongo';
import type { ProductIndex } from './collections.ts';

/** A list of products that the database reads from an index in its order. */
export interface ProductList {
  /** Only these products; null for all. */
  readonly ids: readonly string[] | null;
  readonly statuses: readonly catalogHttp.ProductStatus[];
  /** In one of these categories; null for products of all categories. */
  readonly categoryIds: readonly string[] | null;
  readonly sort: ListOrder;
}

/** Only searches are ordered by relevance. */
export type ListOrder = Exclude<catalogHttp.ProductSort, 'relevance'>;

/**
 * A database query with its index. With this index the results are already in the requested order, so nothing is sorted
 * in memory; only products that are named by their ids are.
 */
export interface ListQuery {
  readonly filter: Record<string, unknown>;
  readonly order: Order;
  readonly hint: ProductIndex | '_id_';
}

const orders: Record<ListOrder, { readonly order: Order; readonly suffix: 'newest' | 'price' | 'name' }> = {
  newest: { order: { createdAt: -1, _id: -1 }, suffix: 'newest' },
  price: { order: { lowestPrice: 1, _id: 1 }, suffix: 'price' },
  '-price': { order: { lowestPrice: -1, _id: -1 }, suffix: 'price' },
  name: { order: { nameKey: 1, _id: 1 }, suffix: 'name' },
};

// MongoDB can merge at most 200 ranges of an index in order (internalQueryMaxScansToExplode); with more ranges it sorts
// in memory.
const maxRanges = 200;

/** Whether the database can read the list from an index in its order. */
export function isListed({ categoryIds, statuses }: Pick<ProductList, 'categoryIds' | 'statuses'>): boolean {
  return categoryIds === null || categoryIds.length * statuses.length <= maxRanges;
}

export function listQuery({ ids, statuses, categoryIds, sort }: ProductList): ListQuery {
  const { order, suffix } = orders[sort];
  const filter = {
    status: { $in: [...statuses] },
    ...(categoryIds === null ? {} : { categoryIds: { $in: [...categoryIds] } }),
  };
  if (ids !== null) return { filter: { _id: { $in: [...ids] }, ...filter }, order, hint: '_id_' };
  return { filter, order, hint: `${categoryIds === null ? 'status' : 'category'}_${suffix}` };
}
