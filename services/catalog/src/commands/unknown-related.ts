import { catalogFields, type FieldError } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import type { ProductBeforeAfter } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';

/**
 * An error for each related product that a change adds and that does not exist, or is the product itself. Those that
 * were related before may be deleted by now.
 */
export async function unknownRelated(
  { products }: Pick<Store, 'products'>,
  changes: readonly ProductBeforeAfter[],
  transaction: Transaction,
): Promise<FieldError[]> {
  const added = changes.flatMap(({ before, after }) => {
    const known = new Set(before?.selling.relatedIds);
    const related = [...(after?.selling.relatedIds.entries() ?? [])];
    return related.flatMap(([index, id]) => (known.has(id) ? [] : [{ id, index, isOwn: id === after?.id }]));
  });
  if (added.length === 0) return [];
  const ids = added.map(({ id }) => id);
  const found = await products.find({ _id: { $in: ids } }, { fields: ['sku'], transaction });
  const existing = new Set(found.map(({ state }) => state.id));
  return added
    .filter(({ id, isOwn }) => isOwn || !existing.has(id))
    .map(({ index }) => catalogFields.unknownProduct(`/relatedIds/${index}`));
}
