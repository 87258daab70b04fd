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

/** A node of the category tree, with counts of what is in it. */
export const categoryState = z.object({
  id: z.string(),
  name: z.string(),
  /** The name by which lists are ordered. */
  nameKey: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  parentId: z.string().nullable(),
  /** The ids of its ancestors, the root first. */
  path: z.array(z.string()),
  position: z.int(),
  image: z.string().nullable(),
  isActive: z.boolean(),
  /** It and all its ancestors are active. */
  visible: z.boolean(),
  /** Products of any status that are in it. */
  products: z.int(),
  /** Active products that are in it. */
  activeProducts: z.int(),
  /** Categories directly below it. */
  children: z.int(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Category = StateOf<typeof categoryState>;

/** Where in the tree a category is. */
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

/** Changes fields of a category and puts it at `place`. An equal category is left unchanged. */
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
 * Puts a category at `place` because one above it has changed. It is published only where its path is a different one.
 */
export function placeCategory(category: Category, place: TreePlace, now: Date): Decision<Category, Category> {
  const next = withChange(category, place, now);
  if (next === category) return unchanged(category);
  return changed(next, next.path.join() === category.path.join() ? [] : [changedFact(next)]);
}

/** The result is stored: the last facts that were published about it. */
export function deleteCategory(category: Category): Decision<Category, catalogEvents.CategoryFacts> {
  const { id, name, slug } = category;
  return deleted([fact(catalogEvents.categoryDeleted, id, { id, name, slug })], eventData(category));
}

/** The category as it is now, for copies of it elsewhere. */
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
