import { catalogErrors, notFound, type Actor } from '@storefront/contracts';
import type { Loaded, Transaction } from '@storefront/mongo';
import { auditOfProduct } from '../domain/audit.ts';
import { skuKey, withNext, type Product } from '../domain/product.ts';
import { skusOf } from '../domain/variants.ts';
import type { Store } from '../store/collections.ts';
import { claimSkus } from './claim-skus.ts';
import { saveProducts, type SaveNeeds } from './save-products.ts';

export type ProductNeeds = SaveNeeds &
  Pick<Store, 'inTransaction' | 'inCountingTransaction'> & { readonly now: () => Date };

/**
 * Changes a product to what `revise` makes of it, in a transaction that also takes the SKUs and the slug that it did not
 * have before. `revise` may run several times; what it throws passes through. Throws `not_found`, `sku_taken`,
 * `slug_taken`, and `validation_failed` if a category or a related product does not exist.
 */
export async function reviseProduct(
  needs: ProductNeeds,
  { id, actor }: { readonly id: string; readonly actor: Actor },
  revise: (product: Product, version: number) => Product,
): Promise<Loaded<Product>> {
  const { products, productSkus, productSlugs, inTransaction, now } = needs;
  return inTransaction(async (transaction) => {
    const found = await products.load(id, transaction);
    if (!found) throw notFound('product');
    const { state, version } = found;
    const next = revise(state, version);
    const known = new Set(skusOf(state).map(skuKey));
    const added = skusOf(next).filter((sku) => !known.has(skuKey(sku)));
    await claimSkus(productSkus, added, id, transaction);
    if (next.slug !== state.slug) await productSlugs.claim([next.slug], id, catalogErrors.slugTaken, transaction);
    const revised = (current: Product | null) => {
      const before = current ?? state;
      return withNext(before, revise(before, version), now());
    };
    return saveProduct(needs, transaction, { id, actor }, revised);
  });
}

/** Saves one product with the audit entries about its change, as `saveProducts` does. */
export async function saveProduct(
  needs: SaveNeeds,
  transaction: Transaction,
  { id, actor }: { readonly id: string; readonly actor: Actor },
  next: (current: Product | null, version: number) => Product,
): Promise<Loaded<Product>> {
  const [saved] = await saveProducts(
    needs,
    transaction,
    [id],
    (_id, current, version) => next(current, version),
    (before, after) => auditOfProduct(before, after, actor),
  );
  if (!saved?.after) throw new Error(`${id} was not saved`);
  return { state: saved.after, version: saved.version };
}
