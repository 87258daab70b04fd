import { catalogFields, invalidFields, type Refusal } from '@storefront/contracts';
import type { Product, ProductBeforeAfter } from './product.ts';

/** By how much the numbers of products in a category change; below 0 for fewer products. */
export interface CountChange {
  readonly products: number;
  readonly activeProducts: number;
}

/**
 * How changes of products change the counts of categories, by category id. Contains every category that a product
 * enters or leaves.
 */
export function countChanges(changes: readonly ProductBeforeAfter[]): ReadonlyMap<string, CountChange> {
  const counts = new Map<string, CountChange>();
  const add = (id: string, by: number, { status }: Product) => {
    const { products, activeProducts } = counts.get(id) ?? { products: 0, activeProducts: 0 };
    counts.set(id, { products: products + by, activeProducts: activeProducts + (status === 'active' ? by : 0) });
  };
  for (const { before, after } of changes) {
    const stays = (id: string) =>
      before?.status === after?.status && before?.categoryIds.includes(id) && after?.categoryIds.includes(id);
    for (const id of before?.categoryIds ?? []) if (before && !stays(id)) add(id, -1, before);
    for (const id of after?.categoryIds ?? []) if (after && !stays(id)) add(id, 1, after);
  }
  return counts;
}

/** Makes the refusal for categories that do not exist. It names each field that contains one of the `unknown` ids. */
export function unknownCategories(changes: readonly ProductBeforeAfter[], unknown: ReadonlySet<string>): Refusal {
  const fields = changes.flatMap(({ after }) =>
    (after?.categoryIds ?? []).flatMap((id, index) =>
      unknown.has(id) ? [catalogFields.unknownCategory(`/categoryIds/${index}`)] : [],
    ),
  );
  return invalidFields(fields);
}
