import { catalogFields, invalidFields, type Refusal } from '@storefront/contracts';
import type { Product, ProductBeforeAfter } from './product.ts';

/** How many more products a category has; below zero for fewer. */
export interface CountChange {
  readonly products: number;
  readonly activeProducts: number;
}

/** How changes of products change the counts of categories, by id: of each category that a product enters or leaves. */
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

/** Names each field with one of these categories, which do not exist. */
export function unknownCategories(changes: readonly ProductBeforeAfter[], unknown: ReadonlySet<string>): Refusal {
  const fields = changes.flatMap(({ after }) =>
    (after?.categoryIds ?? []).flatMap((id, index) =>
      unknown.has(id) ? [catalogFields.unknownCategory(`/categoryIds/${index}`)] : [],
    ),
  );
  return invalidFields(fields);
}
