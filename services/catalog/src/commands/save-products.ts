import { invalidFields, withFacts, type catalogEvents, type Fact } from '@storefront/contracts';
import type { Repository, Transaction } from '@storefront/mongo';
import { unknownCategories } from '../domain/category-counts.ts';
import { movedUploads } from '../domain/pictures.ts';
import { lastFacts, saveProduct as decide, skuKey, type Product, type ProductBeforeAfter } from '../domain/product.ts';
import { skusOf } from '../domain/variants.ts';
import type { CategoryTree } from '../store/category-tree.ts';
import type { LastFacts } from '../store/last-facts.ts';
import type { Pictures } from '../store/pictures.ts';
import type { UniqueValues } from '../store/unique-values.ts';
import { unknownRelated } from './unknown-related.ts';

/** The repositories that are needed to save products. */
export interface SaveNeeds {
  readonly products: Repository<Product>;
  readonly tree: CategoryTree;
  readonly productSlugs: UniqueValues;
  readonly productSkus: UniqueValues;
  readonly deletedProducts: Pick<LastFacts<catalogEvents.ProductFacts>, 'add'>;
  readonly pictures: Pick<Pictures, 'name' | 'unname'>;
}

/** Returns the next state of a product: the same object if nothing changes, null to delete the product. */
export type NextState = (id: string, current: Product | null, version: number) => Product | null;

/** The audit entries for a change of one product. */
export type AuditOf = (before: Product | null, after: Product | null) => readonly Fact[];

/** For changes that result from another change, which already has its own audit entry. */
export const notAudited: AuditOf = () => [];

/** A saved product with its new version. */
export interface SavedProduct extends ProductBeforeAfter {
  readonly version: number;
}

/**
 * Saves products in a transaction, and updates the counts of their categories. SKUs and slugs that are no longer used
 * become free, the last facts of deleted products are stored, and so is which uploaded pictures products name. Throws
 * `validation_failed` if a product is put into a category that does not exist, or names a related product that does not exist.
 */
export async function saveProducts(
  { products, tree, productSlugs, productSkus, deletedProducts, pictures }: SaveNeeds,
  transaction: Transaction,
  ids: readonly string[],
  next: NextState,
  auditOf: AuditOf,
): Promise<SavedProduct[]> {
  const answers = await products.changeAll(transaction, ids, (id, before, version) => {
    const after = next(id, before, version);
    return withFacts(decide(before, after), ...auditOf(before, after));
  });
  const saved = answers.map(({ result, version }) => ({ ...result, version }));
  const unknown = await tree.countProducts(saved, transaction);
  const wrong = [...unknownCategories(saved, unknown), ...(await unknownRelated({ products }, saved, transaction))];
  if (wrong.length > 0) throw invalidFields(wrong);
  const moved = saved.map(({ before, after }) => movedUploads(before, after));
  await pictures.name(
    moved.flatMap(({ added }) => added),
    transaction,
  );
  await pictures.unname(
    moved.flatMap(({ removed }) => removed),
    transaction,
  );
  for (const { before, after, version } of saved) {
    if (before === null) continue;
    if (after === null)
      await deletedProducts.add([{ id: before.id, sequence: version, facts: lastFacts(before) }], transaction);
    const kept = new Set(after === null ? [] : skusOf(after).map(skuKey));
    const unused = skusOf(before)
      .map(skuKey)
      .filter((key) => !kept.has(key));
    await productSkus.release(unused, before.id, transaction);
    if (after?.slug !== before.slug) await productSlugs.release([before.slug], before.id, transaction);
  }
  return saved;
}
