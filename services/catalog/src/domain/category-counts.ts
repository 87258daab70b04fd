import { isDeepStrictEqual } from 'node:util';
import { catalogFields, type FieldError } from '@storefront/contracts';
import type { Product, ProductBeforeAfter } from './product.ts';

/** By how much the numbers of products of a category change; below 0 for fewer products. */
export interface CountChange {
  /** Products in the category itself, whatever their status. */
  readonly products: number;
  /** Active products in the category or in any below it. */
  readonly activeProducts: number;
}

/** The ids of the categories that these products have entered or left, or are in with another status. */
export function countedCategories(changes: readonly ProductBeforeAfter[]): string[] {
  return [...new Set(changes.filter(countsDiffer).flatMap(({ before, after }) => [...idsOf(before), ...idsOf(after)]))];
}

/**
 * How changes of products change the counts of categories, by category id. `pathOf` names the categories above a
 * category. A product in several categories below another one counts there once. Contains every category of these
 * products, also with changes of 0: its document has to be written, so that a move of a branch that has the category does
 * not count the product by its other categories of before.
 */
export function countChanges(
  changes: readonly ProductBeforeAfter[],
  pathOf: (id: string) => readonly string[],
): ReadonlyMap<string, CountChange> {
  const counts = new Map<string, CountChange>();
  const add = (id: string, field: keyof CountChange, by: number) => {
    const current = counts.get(id) ?? { products: 0, activeProducts: 0 };
    counts.set(id, { ...current, [field]: current[field] + by });
  };
  const branches = (product: Product | null) =>
    product?.status === 'active' ? new Set(idsOf(product).flatMap((id) => [...pathOf(id), id])) : new Set<string>();
  for (const { before, after } of changes.filter(countsDiffer)) {
    const [from, to] = [new Set(idsOf(before)), new Set(idsOf(after))];
    for (const id of from.union(to)) add(id, 'products', Number(to.has(id)) - Number(from.has(id)));
    const [fromBranches, toBranches] = [branches(before), branches(after)];
    for (const id of fromBranches) if (!toBranches.has(id)) add(id, 'activeProducts', -1);
    for (const id of toBranches) if (!fromBranches.has(id)) add(id, 'activeProducts', 1);
  }
  return counts;
}

function countsDiffer({ before, after }: ProductBeforeAfter): boolean {
  return before?.status !== after?.status || !isDeepStrictEqual(idsOf(before), idsOf(after));
}

const idsOf = (product: Product | null): readonly string[] => product?.categoryIds ?? [];

/** An error for each field that contains the id of a category that does not exist, one of `unknown`. */
export function unknownCategories(changes: readonly ProductBeforeAfter[], unknown: ReadonlySet<string>): FieldError[] {
  return changes.flatMap(({ after }) =>
    (after?.categoryIds ?? []).flatMap((id, index) =>
      unknown.has(id) ? [catalogFields.unknownCategory(`/categoryIds/${index}`)] : [],
    ),
  );
}
