import { catalogFields, invalidFields, type Decision } from '@storefront/contracts';
import type { Loaded, Repository, Transaction } from '@storefront/mongo';
import { placeCategory, type Category, type TreePlace } from '../domain/category.ts';

interface Needs {
  readonly categories: Repository<Category>;
  readonly now: () => Date;
}

/** Saves one category in a transaction. */
export async function saveCategory(
  { categories }: Pick<Needs, 'categories'>,
  transaction: Transaction,
  id: string,
  decide: (current: Category | null) => Decision<Category, Category>,
): Promise<Loaded<Category>> {
  const [saved] = await categories.changeAll(transaction, [id], (_id, current) => decide(current));
  if (!saved) throw new Error(`${id} was not saved`);
  return { state: saved.result, version: saved.version };
}

/** Stores the new places of categories in the tree. */
export async function placeCategories(
  { categories, now }: Needs,
  transaction: Transaction,
  places: ReadonlyMap<string, TreePlace>,
): Promise<void> {
  await categories.changeAll(transaction, [...places.keys()], (id, current) => {
    const place = places.get(id);
    if (!current || !place) throw new Error(`${id} can't be moved: it does not exist`);
    return placeCategory(current, place, now());
  });
}

/**
 * Loads the parent that a request names; null for a root category. Throws `validation_failed` if the parent does not
 * exist.
 */
export async function loadParent(
  { categories }: Pick<Needs, 'categories'>,
  transaction: Transaction,
  id: string | null,
): Promise<Category | null> {
  if (id === null) return null;
  const parent = await categories.load(id, transaction);
  if (!parent) throw invalidFields([catalogFields.unknownCategory('/parentId')]);
  return parent.state;
}
