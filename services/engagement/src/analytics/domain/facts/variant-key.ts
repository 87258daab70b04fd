const noVariant = 'none';

/** The name under which a variant of a product is counted, or what names no variant of the product. */
export function variantKey(productId: string, variantId: string | undefined): string {
  return `${beginningOf(productId)}${variantId ?? noVariant}`;
}

/** The beginning of the keys of all variants of a product. No key of another product begins with it. */
export function beginningOf(productId: string): string {
  return `${productId} `;
}

/** What `variantKey` put together; null for no variant. */
export function partsOfVariantKey(key: string): { readonly productId: string; readonly variantId: string | null } {
  const [productId = '', ...rest] = key.split(' ');
  const variantId = rest.join(' ');
  return { productId, variantId: variantId === noVariant ? null : variantId };
}
