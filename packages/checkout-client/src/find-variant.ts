import type { catalogHttp } from '@storefront/contracts';
import { CheckoutRefused, expectBody, type Send } from './requests.ts';

type Found = Pick<catalogHttp.ProductBody, 'id' | 'variants'>;

/** The variant that is for sale under this SKU. Throws CheckoutRefused with `unknown_sku` where there is none. */
export async function findVariant(
  send: Send,
  sku: string,
): Promise<{ readonly productId: string; readonly variantId: string }> {
  const path = `/v1/products?limit=100&q=${encodeURIComponent(sku)}`;
  const { data } = await expectBody<{ readonly data: readonly Found[] }>(send, 'GET', path);
  for (const { id, variants } of data)
    for (const variant of variants) if (variant.sku === sku) return { productId: id, variantId: variant.id };
  throw new CheckoutRefused(`The search for ${sku}`, { code: 'unknown_sku', detail: 'nothing is for sale under it' });
}
