import { isDeepStrictEqual } from 'node:util';
import { catalogEvents, fact } from '@storefront/contracts';
import type { catalogHttp, Fact } from '@storefront/contracts';
import { fold } from './words.ts';

/** A node of the tree, and what refers to it. */
export interface Category {
  readonly id: string;
  readonly name: string;
  /** The name as lists order it. */
  readonly nameKey: string;
  readonly slug: string;
  readonly description: string | null;
  readonly parentId: string | null;
  /** The ids of its ancestors, the root first. */
  readonly path: readonly string[];
  readonly position: number;
  readonly image: string | null;
  readonly isActive: boolean;
  /** It and all its ancestors are active. */
  readonly visible: boolean;
  /** Products of any status that are in it. */
  readonly products: number;
  /** Those of them that are active. */
  readonly activeProducts: number;
  /** Categories directly below it. */
  readonly children: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where a category is: what follows from its parent. */
export type Place = Pick<Category, 'parentId' | 'path' | 'visible'>;

export function newCategory(
  given: Omit<catalogHttp.CategoryCreation, 'parentId'>,
  place: Place,
  { id, slug, now }: { id: string; slug: string; now: Date },
): Category {
  return {
    id,
    name: given.name,
    nameKey: fold(given.name),
    slug,
    description: given.description,
    position: given.position,
    image: given.image,
    isActive: given.isActive,
    ...place,
    products: 0,
    activeProducts: 0,
    children: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** The category with what was given instead of what it had; the same object where nothing differs. */
export function withChange(
  category: Category,
  given: Omit<catalogHttp.CategoryChange, 'parentId'>,
  place: Place,
  now: Date,
): Category {
  const next = { ...category, ...given, ...place, nameKey: fold(given.name ?? category.name) };
  return isDeepStrictEqual(next, category) ? category : { ...next, updatedAt: now };
}

/** What others hear of it, from before to after; `null` where there was or is none. */
export function factsOfCategory(before: Category | null, after: Category | null): Fact[] {
  if (after === null) {
    if (before === null) return [];
    const { id, name, slug } = before;
    return [fact(catalogEvents.categoryDeleted, id, { id, name, slug })];
  }
  const contract = before === null ? catalogEvents.categoryCreated : catalogEvents.categoryChanged;
  const { id, name, slug, parentId, path, isActive } = after;
  return [fact(contract, id, { id, name, slug, parentId, path: [...path], isActive })];
}

export function showCategory(category: Omit<Category, 'nameKey' | 'products' | 'children'>): catalogHttp.CategoryBody {
  return {
    id: category.id,
    name: category.name,
    slug: category.slug,
    description: category.description,
    parentId: category.parentId,
    position: category.position,
    path: [...category.path],
    productCount: category.activeProducts,
    image: category.image,
    isActive: category.isActive,
    createdAt: category.createdAt.toISOString(),
    updatedAt: category.updatedAt.toISOString(),
  };
}
