import { isDeepStrictEqual } from 'node:util';
import { audited, type Actor, type AuditAction, type AuditDetails, type Fact } from '@storefront/contracts';
import type { Category } from './category.ts';
import type { Product } from './product.ts';

type Entry = readonly [action: AuditAction, details: AuditDetails];

/** The audit entries for a change of a product: one entry each for its prices, its stock, and all other fields. */
export function auditOfProduct(before: Product | null, after: Product | null, actor: Actor): Fact[] {
  const id = (after ?? before)?.id;
  if (id === undefined) return [];
  return entriesOfProduct(before, after).map(([action, details]) =>
    audited('catalog', actor, action, { object: { type: 'product', id }, details }),
  );
}

/**
 * The audit entries for price changes only. An import already has one entry for everything that it creates and changes.
 */
export function auditOfPrices(before: Product | null, after: Product | null, actor: Actor): Fact[] {
  if (before === null || after === null) return [];
  return auditOfProduct(before, { ...before, price: after.price, tradePrice: after.tradePrice }, actor);
}

export function auditOfCategory(
  action: 'category-created' | 'category-changed' | 'category-deleted',
  { id, name, slug }: Pick<Category, 'id' | 'name' | 'slug'>,
  actor: Actor,
  details: AuditDetails = {},
): Fact {
  return audited('catalog', actor, action, { object: { type: 'category', id }, details: { name, slug, ...details } });
}

function entriesOfProduct(before: Product | null, after: Product | null): Entry[] {
  if (after === null) return before === null ? [] : [['product-deleted', { sku: before.sku, name: before.name }]];
  if (before === null) {
    const { sku, name, status, stock } = after;
    return [['product-created', { sku, name, status, stock, ...pricesOf(after) }]];
  }
  const entries: Entry[] = [];
  if (!isDeepStrictEqual(pricesOf(before), pricesOf(after))) {
    const was = Object.entries(pricesOf(before)).map(([field, value]) => [`${field}Was`, value]);
    entries.push(['price-changed', { sku: after.sku, ...pricesOf(after), ...Object.fromEntries(was) }]);
  }
  if (before.stock !== after.stock)
    entries.push(['stock-changed', { sku: after.sku, change: after.stock - before.stock, stock: after.stock }]);
  const fields = editable.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (fields.length > 0) entries.push(['product-changed', { sku: after.sku, fields: fields.join(', ') }]);
  return entries;
}

const editable = ['sku', 'name', 'slug', 'description', 'categoryIds', 'images', 'status'] as const;

// Amounts are in minor units, as in the API.
function pricesOf({ price, tradePrice }: Product): Record<string, string | number | null> {
  return { price: price.amount, tradePrice: tradePrice?.amount ?? null, currency: price.currency };
}
