import { catalogErrors, notFound, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import { auditOfProduct } from '../domain/audit.ts';
import { skuKey, withChange, type Product } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';
import { saveProduct, type SaveNeeds } from './save-products.ts';

type Needs = SaveNeeds & Pick<Store, 'inTransaction'> & { readonly now: () => Date };

/**
 * Changes a product. `expect` throws where the client has seen another version. Throws `sku_taken`, `slug_taken`, and
 * `validation_failed` for categories that do not exist.
 */
export async function changeProduct(
  needs: Needs,
  change: {
    readonly id: string;
    readonly input: catalogHttp.ProductChange;
    readonly actor: Actor;
    readonly expect: (version: number) => void;
  },
): Promise<Loaded<Product>> {
  const { products, productSkus, productSlugs, inTransaction, now } = needs;
  const { id, input, actor, expect } = change;
  const { sku, slug } = input;
  return inTransaction(async (transaction) => {
    const found = await products.load(id, transaction);
    if (!found) throw notFound('product');
    expect(found.version);
    if (sku !== undefined) await productSkus.claim([skuKey(sku)], id, () => catalogErrors.skuTaken(sku), transaction);
    if (slug !== undefined) await productSlugs.claim([slug], id, catalogErrors.slugTaken, transaction);
    const changed = (current: Product | null) => withChange(current ?? found.state, input, now());
    return saveProduct(needs, transaction, id, changed, (before, after) => auditOfProduct(before, after, actor));
  });
}
