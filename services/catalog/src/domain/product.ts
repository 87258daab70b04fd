import { isDeepStrictEqual } from 'node:util';
import {
  catalogErrors,
  catalogEvents,
  catalogFields,
  changed,
  deleted,
  fact,
  searchForm,
  unchanged,
  catalogHttp,
  type Decision,
  type Fact,
  type FieldError,
  http,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { productImage, withUploads } from './pictures.ts';
import { withStockKey } from './stock-keys.ts';

export const productState = z.object({
  id: z.string(),
  sku: z.string(),
  name: z.string(),
  /** The form of the name by which lists are sorted. */
  nameKey: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  categoryIds: z.array(z.string()),
  attributes: catalogHttp.knownAttributes,
  images: z.array(productImage),
  price: http.money,
  tradePrice: http.money.nullable(),
  stock: z.int(),
  status: catalogHttp.productStatus,
  /** The keys of the latest stock changes, the newest first. A repeated request with such a key changes nothing. */
  stockKeys: z.array(z.string()),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Product = StateOf<typeof productState>;

/** A product before and after a change; null where it does not exist. */
export interface ProductBeforeAfter {
  readonly before: Product | null;
  readonly after: Product | null;
}

/** The form in which SKUs are compared: upper and lower case count as the same. */
export function skuKey(sku: string): string {
  return sku.toUpperCase();
}

export function newProduct(
  input: catalogHttp.ProductCreation,
  { id, slug, now }: { id: string; slug: string; now: Date },
): Product {
  return { ...input, id, slug, nameKey: searchForm(input.name), stockKeys: [], createdAt: now, updatedAt: now };
}

/** The product with the fields of the input; the same object if nothing differs. */
export function withChange(product: Product, input: catalogHttp.ProductChange, now: Date): Product {
  const { images } = input;
  const next: Product = { ...product, ...input, ...(images && { images: withUploads(product.images, images) }) };
  const complete = { ...next, nameKey: searchForm(next.name) };
  return isDeepStrictEqual(complete, product) ? product : { ...complete, updatedAt: now };
}

/**
 * An error for each price that is not in the shop's currency. Lists compare prices as numbers, so all prices must be in
 * one currency.
 */
export function currencyErrors(
  input: Partial<Pick<catalogHttp.ProductChange, 'price' | 'tradePrice'>>,
  currency: string,
): FieldError[] {
  return (['price', 'tradePrice'] as const)
    .filter((field) => input[field] && input[field].currency !== currency)
    .map((field) => catalogFields.currencyNotSupported(`/${field}/currency`, currency));
}

/** A change of the stock. `change` is added to the stock; below 0 it is deducted. */
export interface StockChange {
  readonly change: number;
  readonly reason: string | null;
  /** If a change with this key was already made, nothing changes. */
  readonly key: string | undefined;
}

/**
 * Changes the stock, unless a change with this key was already made. `expect` is called only for a new change and may
 * throw. Throws `insufficient_stock`.
 */
export function changeStock(
  product: Product,
  { change, reason, key }: StockChange,
  { now, expect }: { now: Date; expect: () => void },
): Decision<Product, Product> {
  if (key !== undefined && product.stockKeys.includes(key)) return unchanged(product);
  expect();
  const stock = product.stock + change;
  if (stock < 0) throw catalogErrors.insufficientStock(product.stock, change);
  const stockKeys = key === undefined ? product.stockKeys : withStockKey(product.stockKeys, key).kept;
  const next = { ...product, stock, stockKeys, updatedAt: now };
  return changed(next, factsOfProduct(product, next, reason));
}

/** The product without the `removed` categories. `replacement` is added instead, unless it is null. */
export function withCategoriesReplaced(
  product: Product,
  removed: ReadonlySet<string>,
  replacement: string | null,
  now: Date,
): Product {
  const kept = product.categoryIds.filter((id) => !removed.has(id));
  const categoryIds = replacement === null || kept.includes(replacement) ? kept : [...kept, replacement];
  return { ...product, categoryIds, updatedAt: now };
}

/** Decides to save `after` in place of `before`, with the events about the change. `after` is null for a deletion. */
export function saveProduct(before: Product | null, after: Product | null): Decision<Product, ProductBeforeAfter> {
  const result = { before, after };
  if (after === before) return unchanged(result);
  const facts = factsOfProduct(before, after);
  return after === null ? deleted(facts, result) : changed(after, facts, result);
}

/** The events about a change. `reason` says why the stock changed. */
export function factsOfProduct(before: Product | null, after: Product | null, reason: string | null = null): Fact[] {
  if (after === null) {
    if (before === null) return [];
    const { id, sku, name } = before;
    return [fact(catalogEvents.productDeleted, id, { id, sku, name })];
  }
  if (before === null) return [fact(catalogEvents.productCreated, after.id, eventData(after))];
  const facts: Fact[] = [];
  const { stock, stockKeys, updatedAt } = after;
  if (!isDeepStrictEqual({ ...before, stock, stockKeys, updatedAt }, after))
    facts.push(fact(catalogEvents.productChanged, after.id, eventData(after)));
  if (before.stock !== stock) {
    const change = stock - before.stock;
    facts.push(fact(catalogEvents.stockChanged, after.id, { ...eventData(after), change, reason }));
  }
  return facts;
}

/** The event with the current state of the product. */
export function snapshotFact(product: Product): Fact {
  return fact(catalogEvents.productSnapshot, product.id, { ...eventData(product), deleted: false });
}

/** The last published facts of a product, which are stored after its deletion. */
export function lastFacts(product: Product): catalogEvents.ProductFacts {
  return { ...eventData(product), available: false };
}

function eventData(product: Product): catalogEvents.ProductFacts {
  const { id, sku, name, slug, price, tradePrice, status, stock } = product;
  return {
    id,
    sku,
    name,
    slug,
    image: product.images[0]?.url ?? null,
    categoryIds: [...product.categoryIds],
    price,
    tradePrice,
    status,
    stock,
    available: status === 'active' && stock > 0,
  };
}
