import { isDeepStrictEqual } from 'node:util';
import {
  catalogEvents,
  changed,
  deleted,
  fact,
  searchForm,
  unchanged,
  type catalogHttp,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';

/** A category in the tree, with the numbers of its products and sub-categories. */
export const categoryState = z.object({
  id: z.string(),
  name: z.string(),
  /** The form of the name by which lists are sorted. */
  nameKey: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  parentId: z.string().nullable(),
  /** The ids of all categories above this one, the root first. */
  path: z.array(z.string()),
  position: z.int(),
  image: z.string().nullable(),
  isActive: z.boolean(),
  /** True if this category and all categories above it are active. */
  visible: z.boolean(),
  /** The number of products in this category, whatever their status. */
  products: z.int(),
  /** The number of active products in this category and in all below it; each counts once. */
  activeProducts: z.int(),
  /** The number of categories directly below this one. */
  children: z.int(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Category = StateOf<typeof categoryState>;

/** The place of a category in the tree. */
export type TreePlace = Pick<Category, 'parentId' | 'path' | 'visible'>;

export function createCategory(
  input: Omit<catalogHttp.CategoryCreation, 'parentId'>,
  place: TreePlace,
  { id, slug, now }: { id: string; slug: string; now: Date },
): Decision<Category, Category> {
  const category: Category = {
    id,
    name: input.name,
    nameKey: searchForm(input.name),
    slug,
    description: input.description,
    position: input.position,
    image: input.image,
    isActive: input.isActive,
    ...place,
    products: 0,
    activeProducts: 0,
    children: 0,
    createdAt: now,
    updatedAt: now,
  };
  return changed(category, [fact(catalogEvents.categoryCreated, id, eventData(category))]);
}

/** Changes fields of a category and puts it at `place`. If nothing differs, nothing is written. */
export function changeCategory(
  category: Category,
  input: Omit<catalogHttp.CategoryChange, 'parentId'>,
  place: TreePlace,
  now: Date,
): Decision<Category, Category> {
  const next = withChange(category, { ...input, ...place }, now);
  return next === category ? unchanged(category) : changed(next, [changedFact(next)]);
}

/**
 * Puts a category at `place` after a category above it has changed. An event is published only if the category's path
 * has changed.
 */
export function placeCategory(category: Category, place: TreePlace, now: Date): Decision<Category, Category> {
  const next = withChange(category, place, now);
  if (next === category) return unchanged(category);
  return changed(next, next.path.join() === category.path.join() ? [] : [changedFact(next)]);
}

/** Deletes the category. The result is its last published facts, which are kept after the deletion. */
export function deleteCategory(category: Category): Decision<Category, catalogEvents.CategoryFacts> {
  const { id, name, slug } = category;
  return deleted([fact(catalogEvents.categoryDeleted, id, { id, name, slug })], eventData(category));
}

/** The current state of the category, for the copies that other services keep. */
export function snapshotFact(category: Category): Fact {
  return fact(catalogEvents.categorySnapshot, category.id, { ...eventData(category), deleted: false });
}

function withChange(category: Category, change: Partial<Category>, now: Date): Category {
  const next = { ...category, ...change, nameKey: searchForm(change.name ?? category.name) };
  return isDeepStrictEqual(next, category) ? category : { ...next, updatedAt: now };
}

function changedFact(category: Category): Fact {
  return fact(catalogEvents.categoryChanged, category.id, eventData(category));
}

function eventData({ id, name, slug, parentId, path, isActive }: Category): catalogEvents.CategoryFacts {
  return { id, name, slug, parentId, path: [...path], isActive };
}
