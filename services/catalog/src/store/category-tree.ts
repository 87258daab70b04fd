import { living, type Transaction } from '@storefront/mongo';
import { countChanges, countedCategories } from '../domain/category-counts.ts';
import type { Category } from '../domain/category.ts';
import type { ProductBeforeAfter } from '../domain/product.ts';
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
  /**
   * Changes the numbers of products of the categories of these products, and of those above them. Returns the ids of
   * categories that do not exist.
   */
  countProducts(changes: readonly ProductBeforeAfter[], transaction: Transaction): Promise<ReadonlySet<string>>;
  /**
   * Changes the numbers of active products of the categories that were above a branch (`from`), and of those that are
   * above it after its move (`to`). `branch` are the ids of all its categories.
   */
  countMove(
    branch: readonly string[],
    above: { readonly from: readonly string[]; readonly to: readonly string[] },
    transaction: Transaction,
  ): Promise<void>;
  /** The ids of categories, by the given slug or id. Unknown names are missing in the result. */
  idsByName(names: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>>;
}

export function createCategoryTree({
  categories,
  categorySlugs,
  products,
}: Pick<Store, 'categories' | 'categorySlugs' | 'products'>): CategoryTree {
  const { collection } = categories;

  async function existing(ids: readonly string[], { session }: Transaction): Promise<Set<string>> {
    const found = await collection
      .find({ _id: { $in: [...ids] }, ...living }, { session, projection: { _id: 1 } })
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** The ids above each of these categories. A category that does not exist is missing in the result. */
  async function pathsOf(ids: readonly string[], { session }: Transaction): Promise<Map<string, readonly string[]>> {
    const found = await collection
      .find({ _id: { $in: [...ids] }, ...living }, { session, projection: { path: 1 } })
      .toArray();
    return new Map(found.map(({ _id, path }) => [_id, path]));
  }

  async function restOf(id: string, branch: ReadonlySet<string>, { session }: Transaction): Promise<Set<string>> {
    const below = await collection.find({ path: id, ...living }, { session, projection: { _id: 1 } }).toArray();
    return new Set([id, ...below.map(({ _id }) => _id)]).difference(branch);
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
      const counted = countedCategories(changes);
      if (counted.length === 0) return new Set();
      const paths = await pathsOf(counted, transaction);
      const counts = countChanges(changes, (id) => paths.get(id) ?? []);
      const updates = [...counts].map(([id, { products, activeProducts }]) => {
        // The version changes only with the number of active products, because answers do not show the other products.
        // `touched` is always changed, so that the document is written even if the counts stay the same.
        const version = activeProducts === 0 ? 0 : 1;
        const update = { $inc: { products, activeProducts, version, touched: 1 } };
        return { updateOne: { filter: { _id: id, ...living }, update } };
      });
      await collection.bulkWrite(updates, { session: transaction.session });
      return new Set(counted.filter((id) => !paths.has(id)));
    },

    async countMove(branch, { from, to }, transaction) {
      const [left, entered] = [new Set(from).difference(new Set(to)), new Set(to).difference(new Set(from))];
      // The categories above the branch, each with those of its categories that are not in the branch.
      const rests = await Promise.all(
        [...left, ...entered].map(async (id) => ({ id, rest: await restOf(id, new Set(branch), transaction) })),
      );
      if (rests.length === 0) return;
      const moved = new Map(rests.map(({ id }) => [id, 0]));
      const inBranch = { categoryIds: { $in: [...branch] }, status: 'active', ...living } as const;
      const found = products.collection.find(inBranch, {
        session: transaction.session,
        projection: { categoryIds: 1 },
      });
      for await (const { categoryIds } of found)
        for (const { id, rest } of rests)
          if (rest.isDisjointFrom(new Set(categoryIds))) moved.set(id, (moved.get(id) ?? 0) + 1);
      for (const [id, count] of moved)
        if (count > 0)
          await collection.updateOne(
            { _id: id, ...living },
            { $inc: { activeProducts: entered.has(id) ? count : -count, version: 1 } },
            { session: transaction.session },
          );
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
