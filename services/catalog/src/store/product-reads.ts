import { catalogFields, invalidFields, type catalogHttp, type PageOf, type Slice } from '@storefront/contracts';
import { countByIndex, living, type Transaction } from '@storefront/mongo';
import type { Product } from '../domain/product.ts';
import { wordsOfQuery } from '../domain/words.ts';
import type { CategoryReads } from './category-reads.ts';
import type { Store } from './collections.ts';
import { searchQuery } from './product-query.ts';

/** A product as lists show it. */
export type ListedProduct = Omit<Product, 'words' | 'stockKeys'>;

export interface ProductReads {
  /** Throws `validation_failed` if there is no such category. */
  page(
    query: Omit<catalogHttp.ProductQuery, 'cursor' | 'limit' | 'status'>,
    statuses: readonly catalogHttp.ProductStatus[],
    slice: Slice,
  ): Promise<PageOf<ListedProduct>>;
  /** The ids of up to `limit` products that are in at least one of the categories. */
  idsInCategories(ids: readonly string[], limit: number, transaction: Transaction): Promise<string[]>;
  countInCategories(ids: readonly string[], transaction: Transaction): Promise<number>;
  /** How many products are only in these categories and in no other. */
  countOnlyInCategories(ids: readonly string[], transaction: Transaction): Promise<number>;
}

// If at most this number of products is within the price limits, they are read by price and then sorted in memory. In
// the order of the list, the database would go through the whole index to find so few products.
const fewWithinPrices = 500;

export function createProductReads(
  { database, products, productSlugs }: Pick<Store, 'database' | 'products' | 'productSlugs'>,
  categoryReads: Pick<CategoryReads, 'branch'>,
): ProductReads {
  const { collection } = products;

  return {
    async page({ category, ids, q, slug, ...search }, statuses, slice) {
      const words = q === undefined ? null : wordsOfQuery(q);
      const branch = category === undefined ? null : await categoryReads.branch(category);
      if (category !== undefined && branch === null)
        throw invalidFields([catalogFields.unknownCategory('/category', 'query')]);
      // The search text contains no words.
      if (words?.length === 0) return { items: [], next: null };
      const { filter, order, hint, withinPrices } = searchQuery({
        ...search,
        ids: await named(ids, slug),
        statuses,
        branch,
        words,
      });
      const byPrice = withinPrices && (await areFew(withinPrices)) ? withinPrices.hint : null;
      const page = { filter, order, slice, hint: byPrice ?? hint, without: ['words', 'stockKeys'] as const };
      const { items, next } = await products.page(page);
      return { items: items.map(({ state }) => state), next };
    },

    async idsInCategories(ids, limit, { session }) {
      const found = await collection
        .find({ categoryIds: { $in: [...ids] }, ...living }, { session, projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    countInCategories: (ids, transaction) => products.count({ categoryIds: { $in: [...ids] } }, { transaction }),

    countOnlyInCategories(ids, transaction) {
      const inAnother = { categoryIds: { $elemMatch: { $nin: [...ids] } } };
      return products.count({ categoryIds: { $in: [...ids] }, $nor: [inAnother] }, { transaction });
    },
  };

  /** The ids of the products that a query names; null where it names none. */
  async function named(ids?: readonly string[], slug?: string): Promise<readonly string[] | null> {
    if (slug === undefined) return ids ?? null;
    const owner = await productSlugs.ownerOf(slug);
    return owner !== undefined && (ids ?? [owner]).includes(owner) ? [owner] : [];
  }

  async function areFew(counted: { filter: Record<string, unknown>; hint: string }): Promise<boolean> {
    return (await countByIndex(database, 'products', { ...counted, limit: fewWithinPrices + 1 })) <= fewWithinPrices;
  }
}
