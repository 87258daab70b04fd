import { isDeepStrictEqual } from 'node:util';
import { catalogEvents, fact } from '@storefront/contracts';
import type { catalogHttp, Fact, http } from '@storefront/contracts';
import { currencyNotSupported, insufficientStock } from './errors.ts';
import { bandOf } from './price-band.ts';
import { fold, wordsOf } from './words.ts';

export interface Product {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  /** The name as lists order it. */
  readonly nameKey: string;
  readonly slug: string;
  readonly description: string | null;
  /** By what it is found. */
  readonly words: readonly string[];
  readonly categoryIds: readonly string[];
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  readonly price: http.Money;
  /** The band of the retail price. */
  readonly priceBand: number;
  readonly tradePrice: http.Money | null;
  readonly stock: number;
  readonly status: catalogHttp.ProductStatus;
  /** The latest stock changes that were asked for under a key of their own: none of them happens twice. */
  readonly stockKeys: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const keptStockKeys = 50;

/** How the uniqueness of SKUs is kept: whatever the case of their letters. */
export function skuKey(sku: string): string {
  return sku.toUpperCase();
}

export function newProduct(
  given: catalogHttp.ProductCreation,
  { id, slug, now }: { id: string; slug: string; now: Date },
): Product {
  return { ...given, id, slug, ...derived(given), stockKeys: [], createdAt: now, updatedAt: now };
}

/** The product with what was given instead of what it had; the same object where nothing differs. */
export function withChange(product: Product, given: catalogHttp.ProductChange, now: Date): Product {
  const next: Product = { ...product, ...given };
  const whole = { ...next, ...derived(next) };
  return isDeepStrictEqual(whole, product) ? product : { ...whole, updatedAt: now };
}

function derived(
  of: Pick<Product, 'name' | 'sku' | 'description' | 'price'>,
): Pick<Product, 'nameKey' | 'words' | 'priceBand'> {
  return {
    nameKey: fold(of.name),
    words: wordsOf(of.name, of.sku, of.description),
    priceBand: bandOf(of.price.amount),
  };
}

/** Prices are compared and sorted as plain numbers, so all of a shop's are in one currency. */
export function assertCurrency(given: catalogHttp.ProductChange, currency: string): void {
  for (const field of ['price', 'tradePrice'] as const) {
    const price = given[field];
    if (price && price.currency !== currency) throw currencyNotSupported(`/${field}/currency`, currency);
  }
}

/**
 * More (above zero) or less of it; refuses to go below zero. A `key` that was seen before changes nothing: the same object.
 */
export function withStock(product: Product, change: number, key: string | undefined, now: Date): Product {
  if (key !== undefined && product.stockKeys.includes(key)) return product;
  const stock = product.stock + change;
  if (stock < 0) throw insufficientStock(product.stock, change);
  const stockKeys = key === undefined ? product.stockKeys : [key, ...product.stockKeys].slice(0, keptStockKeys);
  return { ...product, stock, stockKeys, updatedAt: now };
}

/** The product in its categories but without `gone`, and in `instead`, if that is one, where one of them was. */
export function withCategoriesReplaced(
  product: Product,
  gone: ReadonlySet<string>,
  instead: string | null,
  now: Date,
): Product {
  const kept = product.categoryIds.filter((id) => !gone.has(id));
  const categoryIds = instead === null || kept.includes(instead) ? kept : [...kept, instead];
  return { ...product, categoryIds, updatedAt: now };
}

/** What others hear of it, from before to after; `null` where there was or is none. */
export function factsOfProduct(before: Product | null, after: Product | null, reason: string | null = null): Fact[] {
  if (after === null) {
    if (before === null) return [];
    const { id, sku, name } = before;
    return [fact(catalogEvents.productDeleted, id, { id, sku, name })];
  }
  if (before === null) return [fact(catalogEvents.productCreated, after.id, told(after))];
  const facts: Fact[] = [];
  if (!isDeepStrictEqual({ ...before, ...stockOf(after) }, after))
    facts.push(fact(catalogEvents.productChanged, after.id, told(after)));
  if (before.stock !== after.stock) {
    const change = after.stock - before.stock;
    facts.push(fact(catalogEvents.stockChanged, after.id, { ...told(after), change, reason }));
  }
  return facts;
}

function stockOf({ stock, stockKeys, updatedAt }: Product) {
  return { stock, stockKeys, updatedAt };
}

function told(product: Product): catalogEvents.ProductFacts {
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
