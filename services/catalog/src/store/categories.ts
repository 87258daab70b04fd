import type { catalogHttp } from '@storefront/contracts';
import { changed, inTransaction, unchanged } from '@storefront/outbox';
import type { Transaction } from '@storefront/outbox';
import { notFound } from '@storefront/service-kit';
import { factsOfCategory, newCategory, withChange } from '../domain/category.ts';
import type { Category, Place } from '../domain/category.ts';
import { slugTaken, unknownCategory } from '../domain/errors.ts';
import { slugCandidates } from '../domain/slug.ts';
import { below, moved } from '../domain/tree.ts';
import { claim, claimFirst, release } from './claims.ts';
import { deleteCategory } from './category-deletion.ts';
import type { Collections } from './collections.ts';
import { countChildren, findCategory, findDescendants, placeAll } from './tree.ts';
import type { Versioned } from './tree.ts';

export interface Categories {
  /** `id` names what is created: where it is there already, this was asked for before, and it is the answer. */
  create(id: string, given: catalogHttp.CategoryCreation): Promise<Versioned>;
  /** `check` may refuse the version that was found. */
  change(id: string, given: catalogHttp.CategoryChange, check: (version: number) => void): Promise<Versioned>;
  /** Deletes as the strategy says, or foresees it for a dry run. */
  remove(
    id: string,
    query: catalogHttp.CategoryDeletionQuery,
    check: (version: number) => void,
  ): Promise<catalogHttp.CategoryDeletedBody>;
}

/**
 * The changes of the tree. Each is a transaction that writes the category, all that is below it, and the parent it comes
 * under. Two moves that would together make a cycle both write the two parents, for each one's parent is below the
 * other's category; so they collide, the later one starts again and sees the tree as the first has left it. No lock on the
 * whole tree is needed, and changes in different branches don't wait for each other.
 */
export function createCategories(collections: Collections, now: () => Date): Categories {
  const { database, categorySlugs } = collections;

  return {
    create(id, given) {
      return inTransaction(database, async (transaction) => {
        const there = await findCategory(collections, id, transaction);
        if (there) return there;
        const parent = await parentOf(given.parentId, transaction);
        if (given.slug !== undefined) await claimSlug(given.slug, id, transaction);
        const slug = given.slug ?? (await claimFirst(categorySlugs, slugCandidates(given.name, id), id, transaction));
        await countChildren(collections, parent?.id ?? null, 1, transaction);
        const place = below(parent, given.isActive);
        return save(transaction, id, () => newCategory(given, place, { id, slug, now: now() }));
      });
    },

    change(id, { parentId, ...given }, check) {
      return inTransaction(database, async (transaction) => {
        const found = await findCategory(collections, id, transaction);
        if (!found) throw notFound('category');
        const { category, version } = found;
        check(version);
        if (given.slug !== undefined && given.slug !== category.slug) {
          await claimSlug(given.slug, id, transaction);
          await release(categorySlugs, [category.slug], id, transaction);
        }
        const place = await move(category, { parentId, isActive: given.isActive }, transaction);
        return save(transaction, id, (current) => withChange(current ?? category, given, place, now()));
      });
    },

    remove: (id, query, check) => deleteCategory(collections, id, query, check, now),
  };

  /** Puts what is below the category where it belongs now; answers where the category itself does. */
  async function move(
    category: Category,
    {
      parentId = category.parentId,
      isActive = category.isActive,
    }: { parentId?: string | null | undefined; isActive?: boolean | undefined },
    transaction: Transaction,
  ): Promise<Place> {
    const { path, visible } = category;
    if (parentId === category.parentId && isActive === category.isActive) return { parentId, path, visible };
    const parent = await parentOf(parentId, transaction);
    const descendants = await findDescendants(collections, category.id, transaction);
    const there = moved(category, descendants, parent, isActive);
    if (parentId !== category.parentId) {
      await countChildren(collections, category.parentId, -1, transaction);
      await countChildren(collections, parentId, 1, transaction);
    }
    await placeAll(collections, there.descendants, transaction, now());
    return there.place;
  }

  async function parentOf(id: string | null, transaction: Transaction): Promise<Category | null> {
    if (id === null) return null;
    const parent = await findCategory(collections, id, transaction);
    if (!parent) throw unknownCategory('/parentId');
    return parent.category;
  }

  function claimSlug(slug: string, id: string, transaction: Transaction): Promise<void> {
    return claim(categorySlugs, slug, id, () => slugTaken(slug), transaction);
  }

  async function save(
    transaction: Transaction,
    id: string,
    become: (current: Category | null) => Category,
  ): Promise<Versioned> {
    const [saved] = await collections.categoryAggregates.changeAll(transaction, [id], (_id, before) => {
      const after = become(before);
      return after === before ? unchanged(after) : changed(after, factsOfCategory(before, after));
    });
    if (!saved) throw new Error('a category that was saved must be there');
    return { category: saved.result, version: saved.version };
  }
}
