import { invalidFields, type Actor, type catalogHttp } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import { unknownVariantPictures } from '../domain/pictures.ts';
import type { Product } from '../domain/product.ts';
import { withoutVariant, withVariantAdded, withVariantChanged } from '../domain/variants.ts';
import { reviseProduct, type ProductNeeds } from './revise-product.ts';

interface Change {
  readonly id: string;
  readonly variantId: string;
  readonly actor: Actor;
  /** Throws if the client has seen another version. */
  readonly expect: (version: number) => void;
}

/**
 * Adds a variant to a product, as `withVariantAdded` says. A repeated call with the same variant id changes nothing.
 * Throws `sku_taken`, and `validation_failed` if its picture is an upload of another product.
 */
export function addVariant(
  needs: ProductNeeds,
  change: Change & { readonly input: catalogHttp.VariantCreation },
): Promise<Loaded<Product>> {
  const { variantId, input, expect } = change;
  return reviseProduct(needs, change, (product, version) => {
    if (product.variants.some(({ id }) => id === variantId)) return product;
    expect(version);
    checkPicture(product, input);
    return withVariantAdded(product, variantId, input);
  });
}

/**
 * Changes one variant of a product, as `withVariantChanged` says. Throws `sku_taken`, and `validation_failed` if its picture is
 * an upload of another product.
 */
export function changeVariant(
  needs: ProductNeeds,
  change: Change & { readonly input: catalogHttp.VariantChange },
): Promise<Loaded<Product>> {
  const { variantId, input, expect } = change;
  return reviseProduct(needs, change, (product, version) => {
    expect(version);
    checkPicture(product, input);
    return withVariantChanged(product, variantId, input);
  });
}

/** Deletes a variant of a product, as `withoutVariant` says. */
export async function deleteVariant(needs: ProductNeeds, change: Change): Promise<void> {
  const { variantId, expect } = change;
  await reviseProduct(needs, change, (product, version) => {
    expect(version);
    return withoutVariant(product, variantId);
  });
}

function checkPicture(product: Product, input: Pick<catalogHttp.VariantChange, 'image'>): void {
  const errors = unknownVariantPictures(product, [input], () => '');
  if (errors.length > 0) throw invalidFields(errors);
}
