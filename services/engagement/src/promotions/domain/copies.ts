import type { Copy } from '@storefront/catalog-copies';
import { http, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** What engagement keeps of a product. */
export const productFacts = z.object({
  name: z.string(),
  categoryIds: z.array(z.string()),
  price: http.money,
  tradePrice: http.money.nullable(),
  /** Shoppers can see it. */
  listed: z.boolean(),
  stock: z.int(),
});
export type ProductFacts = StateOf<typeof productFacts>;

/** What engagement keeps of a category. */
export const categoryFacts = z.object({
  name: z.string(),
  /** The ids of its ancestors, the root first. */
  path: z.array(z.string()),
});
export type CategoryFacts = StateOf<typeof categoryFacts>;

export type ProductCopy = Copy<ProductFacts>;
export type CategoryCopy = Copy<CategoryFacts>;

/** A product as discounts see it. */
export interface CatalogProduct {
  readonly id: string;
  readonly name: string;
  /** Its categories with all their ancestors, each once. */
  readonly categoryIds: readonly string[];
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
  /** Shoppers can see it; never so where it is deleted. */
  readonly isListed: boolean;
  /** How many there are. */
  readonly stock: number;
}

/**
 * The product of a copy; null where its deletion is all that is known. `categories` are the copies of its categories. One
 * whose event has not come yet counts without ancestors, and a deleted category does not count: it has no products any more.
 */
export function catalogProduct(
  { id, facts, deleted }: ProductCopy,
  categories: ReadonlyMap<string, CategoryCopy>,
): CatalogProduct | null {
  if (facts === null) return null;
  const { name, price, tradePrice, listed, stock } = facts;
  const categoryIds = new Set<string>();
  for (const categoryId of facts.categoryIds) {
    const category = categories.get(categoryId);
    if (category?.deleted) continue;
    categoryIds.add(categoryId);
    for (const ancestor of category?.facts?.path ?? []) categoryIds.add(ancestor);
  }
  return { id, name, categoryIds: [...categoryIds], price, tradePrice, isListed: listed && !deleted, stock };
}
