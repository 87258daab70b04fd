import type { Copy } from '@storefront/catalog-copies';
import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { pricedVariant, type PricedVariant } from './variant-price.ts';

/** The data that engagement keeps about a product. */
export const productFacts = z.object({
  name: z.string(),
  categoryIds: z.array(z.string()),
  /** Whether shoppers can see the product. */
  listed: z.boolean(),
  /** The active variants. A product without options is its own only one. */
  variants: z.array(pricedVariant),
});
export type ProductFacts = StateOf<typeof productFacts>;

/** The data that engagement keeps about a category. */
export const categoryFacts = z.object({
  name: z.string(),
  /** The ids of the category's ancestors, the root first. */
  path: z.array(z.string()),
});
export type CategoryFacts = StateOf<typeof categoryFacts>;

export type ProductCopy = Copy<ProductFacts>;
export type CategoryCopy = Copy<CategoryFacts>;

/** A product with the data that discounts need. */
export interface CatalogProduct {
  readonly id: string;
  readonly name: string;
  /** The product's categories with all their ancestors, each once. */
  readonly categoryIds: readonly string[];
  /** Whether shoppers can see the product. Always false where the product is deleted. */
  readonly isListed: boolean;
  /** The active variants. A product without options is its own only one. */
  readonly variants: readonly PricedVariant[];
}

/**
 * Returns the product of a copy; null where only the product's deletion is known. `categories` are the copies of its
 * categories. A category whose event has not come yet has no ancestors. A deleted category is left out, because it has
 * no products any more.
 */
export function catalogProduct(
  { id, facts, deleted }: ProductCopy,
  categories: ReadonlyMap<string, CategoryCopy>,
): CatalogProduct | null {
  if (facts === null) return null;
  const { name, listed, variants } = facts;
  const categoryIds = new Set<string>();
  for (const categoryId of facts.categoryIds) {
    const category = categories.get(categoryId);
    if (category?.deleted) continue;
    categoryIds.add(categoryId);
    for (const ancestor of category?.facts?.path ?? []) categoryIds.add(ancestor);
  }
  return { id, name, categoryIds: [...categoryIds], isListed: listed && !deleted, variants };
}
