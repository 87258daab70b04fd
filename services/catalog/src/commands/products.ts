import { catalogErrors, invalidFields, notFound, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded, Transaction } from '@storefront/mongo';
import { auditOfProduct } from '../domain/audit.ts';
import { unknownUploads } from '../domain/pictures.ts';
import { newProduct, skuKey, withChange, type Product } from '../domain/product.ts';
import { slugsFor } from '../domain/slug.ts';
import type { Store } from '../store/collections.ts';
import { saveProducts, type AuditOf, type SaveNeeds } from './save-products.ts';

type Needs = SaveNeeds & Pick<Store, 'inTransaction'> & { readonly now: () => Date };

/**
 * Creates a product under `id`. A repeated call with the same id changes nothing. Throws `sku_taken`, `slug_taken`, and
 * `validation_failed` if a category does not exist.
 */
export async function createProduct(
  needs: Needs,
  { id, input, actor }: { id: string; input: catalogHttp.ProductCreation; actor: Actor },
): Promise<Loaded<Product>> {
  const { products, productSkus, productSlugs, inTransaction, now } = needs;
  return inTransaction(async (transaction) => {
    const existing = await products.load(id, transaction);
    if (existing) return existing;
    checkPictures(null, input);
    await productSkus.claim([skuKey(input.sku)], id, () => catalogErrors.skuTaken(input.sku), transaction);
    const slug = await productSlugs.claim(slugsFor(input, id), id, catalogErrors.slugTaken, transaction);
    const created = () => newProduct(input, { id, slug, now: now() });
    return saveProduct(needs, transaction, id, created, (before, after) => auditOfProduct(before, after, actor));
  });
}

/**
 * Changes a product. `expect` throws if the client has seen another version. Throws `sku_taken`, `slug_taken`, and
 * `validation_failed` if a category does not exist.
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
    checkPictures(found.state, input);
    if (sku !== undefined) await productSkus.claim([skuKey(sku)], id, () => catalogErrors.skuTaken(sku), transaction);
    if (slug !== undefined) await productSlugs.claim([slug], id, catalogErrors.slugTaken, transaction);
    const changed = (current: Product | null) => withChange(current ?? found.state, input, now());
    return saveProduct(needs, transaction, id, changed, (before, after) => auditOfProduct(before, after, actor));
  });
}

/** Deletes a product. `expect` throws if the client has seen another version. */
export async function deleteProduct(
  needs: Omit<Needs, 'now'>,
  { id, actor, expect }: { id: string; actor: Actor; expect: (version: number) => void },
): Promise<void> {
  await needs.inTransaction((transaction) =>
    saveProducts(
      needs,
      transaction,
      [id],
      (_id, current, version) => {
        if (!current) throw notFound('product');
        expect(version);
        return null;
      },
      (before, after) => auditOfProduct(before, after, actor),
    ),
  );
}

function checkPictures(product: Product | null, { images }: catalogHttp.ProductChange): void {
  const errors = unknownUploads(product, images);
  if (errors.length > 0) throw invalidFields(errors);
}

/** Saves one product, as `saveProducts` does. */
async function saveProduct(
  needs: SaveNeeds,
  transaction: Transaction,
  id: string,
  next: (current: Product | null) => Product,
  auditOf: AuditOf,
): Promise<Loaded<Product>> {
  const [saved] = await saveProducts(needs, transaction, [id], (_id, current) => next(current), auditOf);
  if (!saved?.after) throw new Error(`${id} was not saved`);
  return { state: saved.after, version: saved.version };
}
