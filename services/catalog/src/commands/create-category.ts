import { catalogErrors, withFacts, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import { auditOfCategory } from '../domain/audit.ts';
import { createCategory as decide, type Category } from '../domain/category.ts';
import { slugsFor } from '../domain/slug.ts';
import { placeBelow } from '../domain/tree.ts';
import type { CategoryTree } from '../store/category-tree.ts';
import type { Store } from '../store/collections.ts';
import { loadParent, saveCategory } from './save-category.ts';

interface Needs extends Pick<Store, 'inTransaction' | 'categories' | 'categorySlugs'> {
  readonly tree: CategoryTree;
  readonly now: () => Date;
}

/**
 * Creates a category under `id`; repeated with the same id it changes nothing. Throws `slug_taken`,
 * `category_too_deep`, and `validation_failed` for a parent that does not exist.
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
    return saveCategory(needs, transaction, id, () => withFacts(decide(input, place, { id, slug, now: now() }), fact));
  });
}
