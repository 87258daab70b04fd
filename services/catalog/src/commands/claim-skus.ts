import { catalogErrors } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import { skuKey } from '../domain/product.ts';
import type { UniqueValues } from '../store/unique-values.ts';

/** Takes SKUs for a product or its variants. Throws `sku_taken` if another product, or a variant of one, has one of them. */
export async function claimSkus(
  productSkus: UniqueValues,
  skus: readonly string[],
  productId: string,
  transaction: Transaction,
): Promise<void> {
  const claims = await productSkus.read(skus.map(skuKey), transaction);
  for (const sku of skus) if (claims.take([skuKey(sku)], productId) === undefined) throw catalogErrors.skuTaken(sku);
  await productSkus.save(claims, transaction);
}
