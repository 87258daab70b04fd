import type { catalogHttp } from '@storefront/contracts';
import { deleted, inTransaction, unchanged } from '@storefront/outbox';
import type { Transaction } from '@storefront/outbox';
import { notFound } from '@storefront/service-kit';
import { factsOfCategory } from '../domain/category.ts';
import type { Category, Place } from '../domain/category.ts';
import { nothingYet, planDeletion } from '../domain/deletion.ts';
import type { Counts, Deletion } from '../domain/deletion.ts';
import { withCategoriesReplaced } from '../domain/product.ts';
import { moved } from '../domain/tree.ts';
import { release } from './claims.ts';
import { living } from './collections.ts';
import type { Collections } from './collections.ts';
import { changeProducts } from './product-changes.ts';
import { countChildren, findCategory, findDescendants, placeAll } from './tree.ts';

// A transaction has to stay short: everybody who changes one of its products meanwhile waits, or makes it start again.
const productsAtOnce = 500;

/**
 * Deletes a category as the strategy says. A category with many products is emptied in several transactions first, each
 * complete in itself; the last one takes the rest together with the category. Broken off in between, the category is still
 * there with fewer products, and deleting it again goes on. `check` may refuse the version that is found at first.
 */
export async function deleteCategory(
  collections: Collections,
  id: string,
  query: catalogHttp.CategoryDeletionQuery,
  check: (version: number) => void,
  now: () => Date,
): Promise<catalogHttp.CategoryDeletedBody> {
  const { strategy, to = null, dryRun } = query;
  let counts = nothingYet;
  for (let first = true; ; first = false) {
    const step = await inTransaction(collections.database, async (transaction) => {
      const found = await findCategory(collections, id, transaction);
      if (!found) throw notFound('category');
      if (first) check(found.version);
      const target = strategy === 'reassign' && to ? await findCategory(collections, to, transaction) : null;
      const descendants = await findDescendants(collections, id, transaction);
      const deletion = planDeletion(found.category, descendants, strategy, target?.category ?? null);
      const places = placesOf(deletion, descendants, target?.category ?? null);
      if (dryRun) return { done: true, counts: await foresee(deletion, to, transaction) };
      const emptied = await emptyCategories(deletion, to, transaction);
      if (emptied.products === productsAtOnce) return { done: false, counts: emptied.counts };
      await adopt(deletion, to, places, transaction);
      await remove(found.category, deletion, transaction);
      return { done: true, counts: sum(emptied.counts, countsOfTree(deletion)) };
    });
    counts = sum(counts, step.counts);
    if (step.done) return { id, deleted: !dryRun, dryRun, strategy, ...counts };
  }

  /** Where the adopted categories are then, and what is below them. */
  function placesOf({ adopted }: Deletion, descendants: readonly Category[], target: Category | null) {
    const places = new Map<string, Place>();
    for (const child of adopted) {
      const below = descendants.filter((each) => each.path.includes(child.id));
      const there = moved(child, below, target, child.isActive);
      for (const [id, place] of [[child.id, there.place] as const, ...there.descendants]) places.set(id, place);
    }
    return places;
  }

  async function emptyCategories({ doomed }: Deletion, instead: string | null, transaction: Transaction) {
    const gone = new Set(doomed.map((category) => category.id));
    const { products } = collections;
    const found = await products
      .find({ categoryIds: { $in: [...gone] }, ...living }, { session: transaction.session, projection: { _id: 1 } })
      .limit(productsAtOnce)
      .toArray();
    const ids = found.map(({ _id }) => _id);
    const changes = await changeProducts(collections, transaction, ids, (_id, product) =>
      product === null ? null : withCategoriesReplaced(product, gone, instead, now()),
    );
    const uncategorised = changes.filter(({ after }) => after?.categoryIds.length === 0).length;
    return { products: ids.length, counts: productCounts(instead, ids.length, uncategorised) };
  }

  async function adopt(
    { adopted }: Deletion,
    target: string | null,
    places: ReadonlyMap<string, Place>,
    transaction: Transaction,
  ) {
    if (adopted.length === 0) return;
    await countChildren(collections, target, adopted.length, transaction);
    await placeAll(collections, places, transaction, now());
  }

  async function remove(category: Category, { doomed }: Deletion, transaction: Transaction) {
    await countChildren(collections, category.parentId, -1, transaction);
    const ids = doomed.map((each) => each.id);
    await collections.categoryAggregates.changeAll(transaction, ids, (_id, current) =>
      current === null ? unchanged(undefined) : deleted(factsOfCategory(current, null), undefined),
    );
    for (const { slug, id } of doomed) await release(collections.categorySlugs, [slug], id, transaction);
  }

  async function foresee(deletion: Deletion, instead: string | null, { session }: Transaction): Promise<Counts> {
    const gone = deletion.doomed.map((category) => category.id);
    const inThem = { categoryIds: { $in: gone }, ...living };
    const inNoOther = { $and: [inThem, { categoryIds: { $not: { $elemMatch: { $nin: gone } } } }] };
    const { products } = collections;
    const found = await products.countDocuments(inThem, { session });
    const uncategorised = instead === null ? await products.countDocuments(inNoOther, { session }) : 0;
    return sum(countsOfTree(deletion), productCounts(instead, found, uncategorised));
  }
}

function countsOfTree({ doomed, adopted }: Deletion): Counts {
  return { ...nothingYet, categoriesDeleted: doomed.length, childrenReassigned: adopted.length };
}

function productCounts(instead: string | null, products: number, productsUncategorised: number): Counts {
  return {
    ...nothingYet,
    ...(instead === null ? { productsRemoved: products } : { productsReassigned: products }),
    productsUncategorised,
  };
}

function sum(one: Counts, other: Counts): Counts {
  return {
    categoriesDeleted: one.categoriesDeleted + other.categoriesDeleted,
    childrenReassigned: one.childrenReassigned + other.childrenReassigned,
    productsReassigned: one.productsReassigned + other.productsReassigned,
    productsRemoved: one.productsRemoved + other.productsRemoved,
    productsUncategorised: one.productsUncategorised + other.productsUncategorised,
  };
}
