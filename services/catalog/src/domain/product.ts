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
import { withStockKey } from './stock-keys.ts';
import { wordsOfProduct } from './words.ts';

export const productState = z.object({
  id: z.string(),
  sku: z.string(),
  name: z.string(),
  /** The name by which lists are ordered. */
  nameKey: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  /** The words by which a search finds it. */
  words: z.array(z.string()),
  categoryIds: z.array(z.string()),
  images: z.array(z.object({ url: z.string(), alt: z.string() })),
  price: http.money,
  tradePrice: http.money.nullable(),
  stock: z.int(),
  status: catalogHttp.productStatus,
  /** The keys of the latest stock changes, the newest first, so that a repeated request changes nothing. */
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

/** SKUs are unique whatever the case of their letters. */
export function skuKey(sku: string): string {
  return sku.toUpperCase();
}

export function newProduct(
  input: catalogHttp.ProductCreation,
  { id, slug, now }: { id: string; slug: string; now: Date },
): Product {
  return { ...input, id, slug, ...searchFields(input), stockKeys: [], createdAt: now, updatedAt: now };
}

/** The product with the input's fields; the same object where nothing differs. */
export function withChange(product: Product, input: catalogHttp.ProductChange, now: Date): Product {
  const next: Product = { ...product, ...input };
  const complete = { ...next, ...searchFields(next) };
  return isDeepStrictEqual(complete, product) ? product : { ...complete, updatedAt: now };
}

function searchFields(product: Pick<Product, 'name' | 'sku' | 'description'>): Pick<Product, 'nameKey' | 'words'> {
  return { nameKey: searchForm(product.name), words: wordsOfProduct(product) };
}

/**
 * Names prices that are not in the shop's currency. Lists compare prices as numbers, so all must be in one currency.
 */
export function currencyErrors(
  input: Partial<Pick<catalogHttp.ProductChange, 'price' | 'tradePrice'>>,
  currency: string,
): FieldError[] {
  return (['price', 'tradePrice'] as const)
    .filter((field) => input[field] && input[field].currency !== currency)
    .map((field) => catalogFields.currencyNotSupported(`/${field}/currency`, currency));
}

/** Adds to the stock (`change` above zero) or takes from it. */
export interface StockChange {
  readonly change: number;
  readonly reason: string | null;
  /** A change under a key that was used before changes nothing. */
  readonly key: string | undefined;
}

/** Changes the stock. `expect` may refuse the change of an unknown key. Throws `insufficient_stock`. */
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

/** The product without the categories in `removed`, and in `replacement` instead unless that is null. */
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

/** Saves `after` in place of `before`, with its events. `after` is null for a deletion. */
export function saveProduct(before: Product | null, after: Product | null): Decision<Product, ProductBeforeAfter> {
  const result = { before, after };
  if (after === before) return unchanged(result);
  const facts = factsOfProduct(before, after);
  return after === null ? deleted(facts, result) : changed(after, facts, result);
}

/** The facts to publish about a change. `reason` is why the stock changed. */
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

/** States the product as it is. */
export function snapshotFact(product: Product): Fact {
  return fact(catalogEvents.productSnapshot, product.id, { ...eventData(product), deleted: false });
}

/** What is kept of a product that is deleted: the last that was published about it. */
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
