import type { catalogHttp, http } from '@storefront/contracts';
import type { Product } from './product.ts';

type Role = 'retail' | 'trade' | 'admin';

/** Only an approved trade account has the role `trade`: until then nobody can log in to it. */
export function seesTradePrices(role: Role | undefined): boolean {
  return role === 'trade' || role === 'admin';
}

/** What is read of a product in order to show it. */
export type ShownProduct = Pick<
  Product,
  | 'id'
  | 'sku'
  | 'name'
  | 'slug'
  | 'description'
  | 'categoryIds'
  | 'images'
  | 'price'
  | 'tradePrice'
  | 'stock'
  | 'status'
  | 'createdAt'
  | 'updatedAt'
>;

/** A product as somebody of that role may see it: the one place that builds the answer, so that no trade price slips by. */
export function showProduct(product: ShownProduct, role: Role | undefined): catalogHttp.ProductBody {
  return {
    id: product.id,
    sku: product.sku,
    name: product.name,
    slug: product.slug,
    description: product.description,
    categoryIds: [...product.categoryIds],
    images: [...product.images],
    price: product.price,
    ...(seesTradePrices(role) ? { tradePrice: product.tradePrice } : {}),
    stock: product.stock,
    status: product.status,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}

/** Whether shoppers may see it at all. */
export function isVisible(product: Pick<Product, 'status'>, role: Role | undefined): boolean {
  return product.status === 'active' || role === 'admin';
}

/**
 * An amount in words, such as `19.99`, in minor units of the currency; undefined where it is none. Never through a
 * fraction of a number: 19.99 × 100 is not 1999 there.
 */
export function toMinorUnits(words: string, currency: string): http.Money | undefined {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const match = /^(\d{1,10})(?:\.(\d+))?$/.exec(words.trim());
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > digits) return undefined;
  return { amount: Number(whole + fraction.padEnd(digits, '0')), currency };
}
