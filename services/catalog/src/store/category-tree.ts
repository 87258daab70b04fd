import { living, type Transaction } from '@storefront/mongo';
import type { CountChange } from '../domain/category-counts.ts';
import type { Category } from '../domain/category.ts';
import type { Store } from './collections.ts';

/**
 * Reads and counts of categories for transactions. Counts are changed without loading the category. The write also
 * conflicts with a transaction that deletes the category, so that no product or sub-category is ever left in a deleted
 * category.
 */
export interface CategoryTree {
  /** All categories below this one, on all levels. */
  descendants(id: string, transaction: Transaction): Promise<Category[]>;
  /**
   * Adds `change` to the number of the parent's sub-categories; `change` may be below 0. Does nothing for a root
   * category.
   */
  countChildren(parentId: string | null, change: number, transaction: Transaction): Promise<void>;
  /** Changes the numbers of products by category id. Returns the ids of categories that do not exist. */
  countProducts(changes: ReadonlyMap<string, CountChange>, transaction: Transaction): Promise<ReadonlySet<string>>;
  /** The ids of categories, by the given slug or id. Unknown names are missing in the result. */
  idsByName(names: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>>;
}

export function createCategoryTree({
  categories,
  categorySlugs,
}: Pick<Store, 'categories' | 'categorySlugs'>): CategoryTree {
  const { collection } = categories;

  async function existing(ids: readonly string[], { session }: Transaction): Promise<Set<string>> {
    const found = await collection
      .find({ _id: { $in: [...ids] }, ...living }, { session, projection: { _id: 1 } })
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  return {
    async descendants(id, transaction) {
      return (await categories.find({ path: id }, { transaction })).map(({ state }) => state);
    },

    async countChildren(parentId, change, { session }) {
      if (parentId === null) return;
      await collection.updateOne({ _id: parentId, ...living }, { $inc: { children: change } }, { session });
    },

    async countProducts(changes, transaction) {
      if (changes.size === 0) return new Set();
      const updates = [...changes].map(([id, { products, activeProducts }]) => {
        // The version changes only with the number of active products, because answers do not show the other products.
        // `touched` is always changed, so that the document is written even if the counts stay the same.
        const version = activeProducts === 0 ? 0 : 1;
        const update = { $inc: { products, activeProducts, version, touched: 1 } };
        return { updateOne: { filter: { _id: id, ...living }, update } };
      });
      const { matchedCount } = await collection.bulkWrite(updates, { session: transaction.session });
      if (matchedCount === changes.size) return new Set();
      const known = await existing([...changes.keys()], transaction);
      return new Set([...changes.keys()].filter((id) => !known.has(id)));
    },

    async idsByName(names, transaction) {
      const slugs = await categorySlugs.read(names, transaction);
      const ids = await existing(
        names.filter((name) => slugs.ownerOf(name) === undefined),
        transaction,
      );
      return new Map(
        names.flatMap((name): [string, string][] => {
          const id = slugs.ownerOf(name) ?? (ids.has(name) ? name : undefined);
          return id === undefined ? [] : [[name, id]];
        }),
      );
    },
  };
}
