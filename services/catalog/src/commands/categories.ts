import { catalogErrors, notFound, withFacts, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded, Transaction } from '@storefront/mongo';
import { auditOfCategory } from '../domain/audit.ts';
import {
  changeCategory as withCategoryChange,
  createCategory as newCategory,
  type Category,
  type TreePlace,
} from '../domain/category.ts';
import { slugsFor } from '../domain/slug.ts';
import { placeBelow, placesAfterMove } from '../domain/tree.ts';
import type { CategoryTree } from '../store/category-tree.ts';
import type { Store } from '../store/collections.ts';
import { loadParent, placeCategories, saveCategory } from './save-category.ts';

interface Needs extends Pick<Store, 'inTransaction' | 'categories' | 'categorySlugs'> {
  readonly tree: CategoryTree;
  readonly now: () => Date;
}

/**
 * Creates a category under `id`. A repeated call with the same id changes nothing. Throws `slug_taken`,
 * `category_too_deep`, and `validation_failed` if the parent does not exist.
 */
export async function createCategory(
  needs: Needs,
  { id, input, actor }: { id: string; input: catalogHttp.CategoryCreation; actor: Actor },
): Promise<Loaded<Category>> {
  const { inTransaction, categories, categorySlugs, tree, now } = needs;
  return inTransaction(async (transaction) => {
    const existing = await categories.load(id, transaction);
    if (existing) return existing;
    const parent = await loadParent(needs, transaction, input.parentId);
    const slug = await categorySlugs.claim(slugsFor(input, id), id, catalogErrors.slugTaken, transaction);
    const place = placeBelow(parent, input.isActive);
    await tree.countChildren(place.parentId, 1, transaction);
    const fact = auditOfCategory('category-created', { id, name: input.name, slug }, actor);
    return saveCategory(needs, transaction, id, () =>
      withFacts(newCategory(input, place, { id, slug, now: now() }), fact),
    );
  });
}

/**
 * Changes a category, and moves it together with all categories below it. `expect` throws if the client has seen
 * another version. Throws `slug_taken`, `category_cycle`, `category_too_deep`, and `validation_failed` if the parent
 * does not exist.
 *
 * The transaction writes the category, all categories below it, and both parents. If two moves together would make a
 * cycle, both write the same parents. Then one of them starts again, sees the result of the other, and is refused. So
 * the tree needs no lock, and changes in different branches do not wait for each other.
 */
export async function changeCategory(
  needs: Needs,
  change: {
    readonly id: string;
    readonly input: catalogHttp.CategoryChange;
    readonly actor: Actor;
    readonly expect: (version: number) => void;
  },
): Promise<Loaded<Category>> {
  const { inTransaction, categories, categorySlugs, now } = needs;
  const {
    id,
    input: { parentId, ...input },
    actor,
    expect,
  } = change;
  return inTransaction(async (transaction) => {
    const found = await categories.load(id, transaction);
    if (!found) throw notFound('category');
    expect(found.version);
    const { slug } = found.state;
    if (input.slug !== undefined && input.slug !== slug) {
      await categorySlugs.claim([input.slug], id, catalogErrors.slugTaken, transaction);
      await categorySlugs.release([slug], id, transaction);
    }
    const place = await move(needs, transaction, found.state, { parentId, isActive: input.isActive });
    const fields = Object.keys(change.input).join(', ');
    return saveCategory(needs, transaction, id, (current) => {
      const decision = withCategoryChange(current ?? found.state, input, place, now());
      return withFacts(decision, auditOfCategory('category-changed', decision.result, actor, { fields }));
    });
  });
}

/** Moves all categories below this one, and returns the new place of the category itself. */
async function move(
  needs: Needs,
  transaction: Transaction,
  category: Category,
  {
    parentId = category.parentId,
    isActive = category.isActive,
  }: { parentId: string | null | undefined; isActive: boolean | undefined },
): Promise<TreePlace> {
  const { path, visible } = category;
  if (parentId === category.parentId && isActive === category.isActive) return { parentId, path, visible };
  const parent = await loadParent(needs, transaction, parentId);
  const descendants = await needs.tree.descendants(category.id, transaction);
  const moved = placesAfterMove(category, descendants, parent, isActive);
  if (parentId !== category.parentId) {
    await needs.tree.countChildren(category.parentId, -1, transaction);
    await needs.tree.countChildren(parentId, 1, transaction);
  }
  await placeCategories(needs, transaction, moved.descendants);
  const branch = [category.id, ...descendants.map(({ id }) => id)];
  await needs.tree.countMove(branch, { from: path, to: moved.place.path }, transaction);
  return moved.place;
}
