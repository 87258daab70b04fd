import { isDeepStrictEqual } from 'node:util';
import { audited, type Actor, type AuditAction, type AuditDetails, type Fact } from '@storefront/contracts';
import type { Category } from './category.ts';
import type { Product } from './product.ts';
import { sellingState } from './selling.ts';
import { stockMoves, type Variant } from './variants.ts';

type Entry = readonly [action: AuditAction, details: AuditDetails];

/**
 * The audit entries for a change of a product: one entry each for its prices, its stock, and all other fields, and the
 * same for each of its variants.
 */
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
  const prices = new Map(after.variants.map(({ id, price, tradePrice }) => [id, { price, tradePrice }]));
  const variants = before.variants.map((variant) => ({ ...variant, ...prices.get(variant.id) }));
  return auditOfProduct(before, { ...before, price: after.price, tradePrice: after.tradePrice, variants }, actor);
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
  const entries: Entry[] = [...pricesChanged(before, after)];
  for (const { variant, change } of stockMoves(before, after))
    entries.push(['stock-changed', { sku: variant.sku, change, stock: variant.stock }]);
  const fields = [
    ...editable.filter((field) => !isDeepStrictEqual(before[field], after[field])),
    ...sellingFields.filter((field) => !isDeepStrictEqual(before.selling[field], after.selling[field])),
  ];
  if (fields.length > 0) entries.push(['product-changed', { sku: after.sku, fields: fields.join(', ') }]);
  return [...entries, ...entriesOfVariants(before, after)];
}

function entriesOfVariants(before: Product, after: Product): Entry[] {
  const were = new Map(before.variants.map((variant) => [variant.id, variant]));
  const kept = new Set(after.variants.map(({ id }) => id));
  return [
    ...after.variants.flatMap((variant) => {
      const was = were.get(variant.id);
      return was ? variantChanged(was, variant) : [entryOfVariant('variant-created', variant)];
    }),
    ...before.variants.filter(({ id }) => !kept.has(id)).map((variant) => entryOfVariant('variant-deleted', variant)),
  ];
}

function entryOfVariant(action: 'variant-created' | 'variant-deleted', { sku, values, stock }: Variant): Entry {
  return [action, { sku, values: values.join(', '), stock }];
}

function variantChanged(was: Variant, variant: Variant): Entry[] {
  const fields = editableOfVariant.filter((field) => !isDeepStrictEqual(was[field], variant[field]));
  const changed: Entry = ['variant-changed', { sku: variant.sku, fields: fields.join(', ') }];
  return [...pricesChanged(was, variant), ...(fields.length > 0 ? [changed] : [])];
}

const editable = ['sku', 'name', 'slug', 'description', 'categoryIds', 'images', 'status', 'options'] as const;
const sellingFields = sellingState.keyof().options;
const editableOfVariant = ['sku', 'values', 'quantityPrices', 'weight', 'image', 'status'] as const;

function pricesChanged(before: Priced, after: Priced): Entry[] {
  if (isDeepStrictEqual(pricesOf(before), pricesOf(after))) return [];
  const was = Object.entries(pricesOf(before)).map(([field, value]) => [`${field}Was`, value]);
  return [['price-changed', { sku: after.sku, ...pricesOf(after), ...Object.fromEntries(was) }]];
}

type Priced = Pick<Variant, 'sku' | 'price' | 'tradePrice'>;

// Amounts are in minor units, as in the API.
function pricesOf({ price, tradePrice }: Priced): Record<string, string | number | null> {
  const currency = (price ?? tradePrice)?.currency ?? null;
  return { price: price?.amount ?? null, tradePrice: tradePrice?.amount ?? null, currency };
}
