import type { catalogHttp } from '@storefront/contracts';
import type { Category } from './category.ts';
import { categoryNotEmpty, invalidTarget } from './errors.ts';

/** What a deletion has done, or would do. */
export type Counts = Pick<
  catalogHttp.CategoryDeletedBody,
  'categoriesDeleted' | 'childrenReassigned' | 'productsReassigned' | 'productsRemoved' | 'productsUncategorised'
>;

export const nothingYet: Counts = {
  categoriesDeleted: 0,
  childrenReassigned: 0,
  productsReassigned: 0,
  productsRemoved: 0,
  productsUncategorised: 0,
};

/** Which categories go, and which move to the target. */
export interface Deletion {
  readonly doomed: readonly Category[];
  readonly adopted: readonly Category[];
}

/**
 * Refuses what the strategy does not allow. `target` is the category that takes what is in it, null where there is none
 * of that id, and not looked at for other strategies.
 */
export function planDeletion(
  category: Category,
  descendants: readonly Category[],
  strategy: catalogHttp.CategoryDeletionQuery['strategy'],
  target: Category | null,
): Deletion {
  if (strategy === 'cascade') return { doomed: [category, ...descendants], adopted: [] };
  if (strategy === 'reject') {
    if (category.children > 0 || category.products > 0) throw categoryNotEmpty(category.children, category.products);
    return { doomed: [category], adopted: [] };
  }
  if (target === null) throw invalidTarget('There is no such category to reassign to.');
  if (target.id === category.id || target.path.includes(category.id))
    throw invalidTarget('What is in a category can be reassigned neither to itself nor to one below it.');
  return { doomed: [category], adopted: descendants.filter((each) => each.parentId === category.id) };
}
