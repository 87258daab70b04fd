import { catalogErrors, invalidFields, notFound, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import { auditOfProduct } from '../domain/audit.ts';
import { unknownUploads, unknownVariantPictures } from '../domain/pictures.ts';
import { newProduct, withChange, type Product } from '../domain/product.ts';
import { slugsFor } from '../domain/slug.ts';
import { skusOf } from '../domain/variants.ts';
import { claimSkus } from './claim-skus.ts';
import { reviseProduct, saveProduct, type ProductNeeds } from './revise-product.ts';
import { saveProducts } from './save-products.ts';

/**
 * Creates a product under `id`. A repeated call with the same id changes nothing. Throws `sku_taken`, `slug_taken`, and
 * `validation_failed` if a category or a related product does not exist, or if it names uploaded pictures.
 */
export async function createProduct(
  needs: ProductNeeds,
  { id, input, actor }: { id: string; input: catalogHttp.ProductCreation; actor: Actor },
): Promise<Loaded<Product>> {
  const { products, productSkus, productSlugs, inCountingTransaction, now } = needs;
  return inCountingTransaction(async (transaction) => {
    const existing = await products.load(id, transaction);
    if (existing) return existing;
    checkPictures(null, input);
    await claimSkus(productSkus, skusOf(input), id, transaction);
    const slug = await productSlugs.claim(slugsFor(input, id), id, catalogErrors.slugTaken, transaction);
    const created = () => newProduct(input, { id, slug, now: now() });
    return saveProduct(needs, transaction, { id, actor }, created);
  });
}

/**
 * Changes a product, as `withChange` says. `expect` throws if the client has seen another version. Throws `sku_taken`,
 * `slug_taken`, and `validation_failed` if a category or a related product does not exist.
 */
export function changeProduct(
  needs: ProductNeeds,
  change: {
    readonly id: string;
    readonly input: catalogHttp.ProductChange;
    readonly actor: Actor;
    readonly expect: (version: number) => void;
  },
): Promise<Loaded<Product>> {
  const { input, expect } = change;
  return reviseProduct(needs, change, (product, version) => {
    expect(version);
    checkPictures(product, input);
    return withChange(product, input, needs.now());
  });
}

/** Deletes a product. `expect` throws if the client has seen another version. */
export async function deleteProduct(
  needs: Omit<ProductNeeds, 'now'>,
  { id, actor, expect }: { id: string; actor: Actor; expect: (version: number) => void },
): Promise<void> {
  await needs.inCountingTransaction((transaction) =>
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

function checkPictures(
  product: Product | null,
  { images, variants = [] }: catalogHttp.ProductChange & Partial<Pick<catalogHttp.ProductCreation, 'variants'>>,
): void {
  const ofVariants = unknownVariantPictures(product, variants, (index) => `/variants/${index}`);
  const errors = [...unknownUploads(product, images), ...ofVariants];
  if (errors.length > 0) throw invalidFields(errors);
}
