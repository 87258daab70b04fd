import { catalogErrors, type catalogHttp } from '@storefront/contracts';
import type { Category, TreePlace } from './category.ts';
import { placesAfterMove } from './tree.ts';

/** The numbers of categories and products that a deletion changes, or would change. */
export type DeletionCounts = Pick<
  catalogHttp.CategoryDeletedBody,
  'categoriesDeleted' | 'childrenReassigned' | 'productsReassigned' | 'productsRemoved' | 'productsUncategorised'
>;

export const nothingDeleted: DeletionCounts = {
  categoriesDeleted: 0,
  childrenReassigned: 0,
  productsReassigned: 0,
  productsRemoved: 0,
  productsUncategorised: 0,
};

/** How a deletion changes categories. */
export interface DeletionPlan {
  readonly toDelete: readonly Category[];
  /** Direct sub-categories that move to the target category. */
  readonly toReassign: readonly Category[];
  /** The new places of the moved categories and of all categories below them, by category id. */
  readonly places: ReadonlyMap<string, TreePlace>;
}

/**
 * Plans the deletion of a category. `target` is the category to which the contents move; null if it does not exist.
 * Only the strategy `reassign` uses it. Throws `category_not_empty`, `invalid_target` and `category_too_deep`.
 */
export function planDeletion(
  category: Category,
  descendants: readonly Category[],
  strategy: catalogHttp.CategoryDeletionQuery['strategy'],
  target: Category | null,
): DeletionPlan {
  const { id, children, products } = category;
  if (strategy === 'cascade') return { toDelete: [category, ...descendants], toReassign: [], places: new Map() };
  if (strategy === 'reject') {
    if (children > 0 || products > 0) throw catalogErrors.categoryNotEmpty(children, products);
    return { toDelete: [category], toReassign: [], places: new Map() };
  }
  if (target === null) throw catalogErrors.invalidTarget('There is no such category to reassign to.');
  if (target.id === id || target.path.includes(id))
    throw catalogErrors.invalidTarget('What is in a category can be reassigned neither to itself nor to one below it.');
  const toReassign = descendants.filter(({ parentId }) => parentId === id);
  const places = toReassign.flatMap((child): [string, TreePlace][] => {
    const belowChild = descendants.filter(({ path }) => path.includes(child.id));
    const moved = placesAfterMove(child, belowChild, target, child.isActive);
    return [[child.id, moved.place], ...moved.descendants];
  });
  return { toDelete: [category], toReassign, places: new Map(places) };
}

export function countCategories({ toDelete, toReassign }: DeletionPlan): DeletionCounts {
  return { ...nothingDeleted, categoriesDeleted: toDelete.length, childrenReassigned: toReassign.length };
}

/** `target` is the category to which the products move; null if the products are only removed from their category. */
export function countProducts(target: string | null, products: number, productsUncategorised: number): DeletionCounts {
  const moved = target === null ? { productsRemoved: products } : { productsReassigned: products };
  return { ...nothingDeleted, ...moved, productsUncategorised };
}

export function addCounts(one: DeletionCounts, other: DeletionCounts): DeletionCounts {
  return {
    categoriesDeleted: one.categoriesDeleted + other.categoriesDeleted,
    childrenReassigned: one.childrenReassigned + other.childrenReassigned,
    productsReassigned: one.productsReassigned + other.productsReassigned,
    productsRemoved: one.productsRemoved + other.productsRemoved,
    productsUncategorised: one.productsUncategorised + other.productsUncategorised,
  };
}
