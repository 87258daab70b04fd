import { catalogErrors, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import { auditOfProduct } from '../domain/audit.ts';
import { newProduct, skuKey, type Product } from '../domain/product.ts';
import { slugsFor } from '../domain/slug.ts';
import type { Store } from '../store/collections.ts';
import { saveProduct, type SaveNeeds } from './save-products.ts';

type Needs = SaveNeeds & Pick<Store, 'inTransaction'> & { readonly now: () => Date };

/**
 * Creates a product under `id`; repeated with the same id it changes nothing. Throws `sku_taken`, `slug_taken`, and
 * `validation_failed` for categories that do not exist.
 */
export async function createProduct(
  needs: Needs,
  { id, input, actor }: { id: string; input: catalogHttp.ProductCreation; actor: Actor },
): Promise<Loaded<Product>> {
  const { products, productSkus, productSlugs, inTransaction, now } = needs;
  return inTransaction(async (transaction) => {
    const existing = await products.load(id, transaction);
    if (existing) return existing;
    await productSkus.claim([skuKey(input.sku)], id, () => catalogErrors.skuTaken(input.sku), transaction);
    const slug = await productSlugs.claim(slugsFor(input, id), id, catalogErrors.slugTaken, transaction);
    const created = () => newProduct(input, { id, slug, now: now() });
    return saveProduct(needs, transaction, id, created, (before, after) => auditOfProduct(before, after, actor));
  });
}
