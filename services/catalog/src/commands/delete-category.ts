import { notFound, unchanged, withFacts, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import { auditOfCategory } from '../domain/audit.ts';
import {
  addCounts,
  countCategories,
  countProducts,
  nothingDeleted,
  planDeletion,
  type DeletionCounts,
  type DeletionPlan,
} from '../domain/category-deletion.ts';
import { deleteCategory as decide, type Category } from '../domain/category.ts';
import { withCategoriesReplaced } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';
import type { ProductReads } from '../store/product-reads.ts';
import { placeCategories } from './save-category.ts';
import { notAudited, saveProducts, type SaveNeeds } from './save-products.ts';

interface Needs extends SaveNeeds, Pick<Store, 'inTransaction' | 'categories' | 'categorySlugs' | 'deletedCategories'> {
  readonly productReads: ProductReads;
  readonly now: () => Date;
}

interface Deletion {
  readonly id: string;
  readonly query: catalogHttp.CategoryDeletionQuery;
  readonly actor: Actor;
  /** Throws if the client has seen another version. */
  readonly expect: (version: number) => void;
}

/** The work that one transaction of a deletion has done. */
interface DeletionStep {
  readonly isLast: boolean;
  readonly counts: DeletionCounts;
}

// Transactions must stay short: another change of the same product has to wait for the transaction, or makes it start
// again.
const productsPerTransaction = 500;

/**
 * Deletes a category by the requested strategy. With `dryRun` the changes are only counted. A category with many
 * products is first emptied in several transactions, and the last one deletes the category. If the deletion is
 * interrupted, the category still exists with fewer products, and a repeated deletion continues. Throws
 * `category_not_empty`, `invalid_target` and `category_too_deep`.
 */
export async function deleteCategory(needs: Needs, deletion: Deletion): Promise<catalogHttp.CategoryDeletedBody> {
  const { id, query, actor } = deletion;
  const { strategy, dryRun } = query;
  let counts = nothingDeleted;
  for (let isFirst = true; ; isFirst = false) {
    const step = await needs.inTransaction(async (transaction) => {
      const { category, plan, target } = await loadPlan(needs, transaction, deletion, isFirst);
      if (dryRun) return { isLast: true, counts: await preview(needs, transaction, plan, query.to ?? null) };
      return deleteStep(needs, transaction, { category, plan, target, actor });
    });
    counts = addCounts(counts, step.counts);
    if (step.isLast) return { id, deleted: !dryRun, dryRun, strategy, ...counts };
  }
}

async function loadPlan(
  { categories, tree }: Needs,
  transaction: Transaction,
  { id, query, expect }: Deletion,
  isFirst: boolean,
): Promise<{ category: Category; plan: DeletionPlan; target: Category | null }> {
  const found = await categories.load(id, transaction);
  if (!found) throw notFound('category');
  // Only the first transaction checks the version, because each transaction that removes products changes the version.
  if (isFirst) expect(found.version);
  const named = query.strategy === 'reassign' && query.to ? await categories.load(query.to, transaction) : null;
  const target = named?.state ?? null;
  const descendants = await tree.descendants(id, transaction);
  const plan = planDeletion(found.state, descendants, query.strategy, target);
  return { category: found.state, plan, target };
}

async function preview(
  { productReads }: Needs,
  transaction: Transaction,
  plan: DeletionPlan,
  target: string | null,
): Promise<DeletionCounts> {
  const ids = plan.toDelete.map(({ id }) => id);
  const products = await productReads.countInCategories(ids, transaction);
  const uncategorised = target === null ? await productReads.countOnlyInCategories(ids, transaction) : 0;
  return addCounts(countCategories(plan), countProducts(target, products, uncategorised));
}

/** Removes products from the categories. If no products are left, the categories are deleted too. */
async function deleteStep(
  needs: Needs,
  transaction: Transaction,
  { category, plan, target, actor }: { category: Category; plan: DeletionPlan; target: Category | null; actor: Actor },
): Promise<DeletionStep> {
  const targetId = target?.id ?? null;
  const { categories, categorySlugs, deletedCategories, tree, productReads, now } = needs;
  const ids = plan.toDelete.map(({ id }) => id);
  const productIds = await productReads.idsInCategories(ids, productsPerTransaction, transaction);
  const toDelete = new Set(ids);
  const saved = await saveProducts(
    needs,
    transaction,
    productIds,
    (_id, product) => (product === null ? null : withCategoriesReplaced(product, toDelete, targetId, now())),
    notAudited,
  );
  const uncategorised = saved.filter(({ after }) => after?.categoryIds.length === 0).length;
  const counts = countProducts(targetId, productIds.length, uncategorised);
  if (productIds.length === productsPerTransaction) return { isLast: false, counts };

  if (target !== null && plan.toReassign.length > 0) {
    await tree.countChildren(target.id, plan.toReassign.length, transaction);
    await placeCategories(needs, transaction, plan.places);
    const above = { from: [...category.path, category.id], to: [...target.path, target.id] };
    await tree.countMove([...plan.places.keys()], above, transaction);
  }
  await tree.countChildren(category.parentId, -1, transaction);
  const answers = await categories.changeAll(transaction, ids, (_id, current) =>
    current
      ? withFacts(decide(current), auditOfCategory('category-deleted', current, actor, { requested: category.id }))
      : unchanged(null),
  );
  const gone = answers.flatMap(({ result: facts, version: sequence }) =>
    facts ? [{ id: facts.id, sequence, facts }] : [],
  );
  await deletedCategories.add(gone, transaction);
  for (const { slug, id } of plan.toDelete) await categorySlugs.release([slug], id, transaction);
  return { isLast: true, counts: addCounts(counts, countCategories(plan)) };
}
