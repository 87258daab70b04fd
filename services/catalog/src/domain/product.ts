import { isDeepStrictEqual } from 'node:util';
import {
  catalogErrors,
  catalogEvents,
  catalogFields,
  changed,
  deleted,
  fact,
  ownVariantId,
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
import { productImage, withoutLostPictures, withUploads } from './pictures.ts';
import { hasFallenLow, sellingState, splitSelling, type Selling } from './selling.ts';
import { withStockKey } from './stock-keys.ts';
import {
  freeOf,
  freeOfProduct,
  hasVariants,
  newVariants,
  priceOf,
  reservedAndGone,
  stockMoves,
  variantFields,
  variantsOf,
  variantWithId,
  withOptions,
  withPieces,
  withPiecesOf,
  withTotals,
  type Variant,
} from './variants.ts';

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
  /** As counted, with what is reserved. */
  stock: z.int(),
  /** How many pieces are reserved for orders. */
  reserved: z.int(),
  status: catalogHttp.productStatus,
  selling: sellingState,
  ...variantFields.shape,
  /** The keys of the latest stock changes, the newest first. A repeated request with such a key changes nothing. */
  stockKeys: z.array(z.string()),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Product = StateOf<typeof productState>;

/** The form in which SKUs are compared: upper and lower case count as the same. */
export const { skuKey } = catalogHttp;

/** A product before and after a change; null where it does not exist. */
export interface ProductBeforeAfter {
  readonly before: Product | null;
  readonly after: Product | null;
}

/**
 * A new product. `variants` are all variants that it begins with; with options and no variants it begins with one.
 */
export function newProduct(
  input: catalogHttp.ProductCreation,
  { id, slug, now }: { id: string; slug: string; now: Date },
): Product {
  const [selling, { options, variants, ...fields }] = splitSelling(input);
  const own = { ...fields, selling, id, slug, options: [], variants: [], reserved: 0, lowestPrice: 0 };
  const shown = { nameKey: searchForm(input.name), stockKeys: [], createdAt: now, updatedAt: now };
  const varied = variants.length > 0 ? { options, variants: newVariants(id, variants) } : withOptions(own, options);
  return withTotals({ ...own, ...shown, ...varied });
}

/**
 * The product with the fields of the input; the same object if nothing differs. Throws `option_in_use`, and
 * `variant_required` if the input has a stock and the variants have their own.
 */
export function withChange(product: Product, input: catalogHttp.ProductChange, now: Date): Product {
  const { options, images } = input;
  const varied = options === undefined ? product : { ...product, ...withOptions(product, options) };
  if (input.stock !== undefined && hasVariants(varied)) throw catalogErrors.variantRequired();
  const [selling, others] = splitSelling(input);
  const pictures = images && { images: withUploads(product.images, images) };
  return withNext(product, { ...varied, ...others, ...pictures, selling: { ...varied.selling, ...selling } }, now);
}

/** The product as `next`, with all that follows from its fields; the same object if nothing differs. */
export function withNext(product: Product, next: Product, now: Date): Product {
  const complete = withTotals(withoutLostPictures({ ...next, nameKey: searchForm(next.name) }));
  return isDeepStrictEqual(complete, product) ? product : { ...complete, updatedAt: now };
}

type Priced = Partial<Pick<catalogHttp.VariantChange, 'price' | 'tradePrice' | 'quantityPrices'>>;

/**
 * An error for each price that is not in the shop's currency. Lists compare prices as numbers, so all prices must be in
 * one currency.
 */
export function currencyErrors(
  { variants = [], ...own }: Priced & { readonly variants?: readonly Priced[] },
  currency: string,
): FieldError[] {
  return [...pricesOf('', own), ...variants.flatMap((variant, index) => pricesOf(`/variants/${index}`, variant))]
    .filter(([, price]) => price && price.currency !== currency)
    .map(([pointer]) => catalogFields.currencyNotSupported(`${pointer}/currency`, currency));
}

function pricesOf(
  at: string,
  { price, tradePrice, quantityPrices }: Priced,
): [string, http.Money | null | undefined][] {
  return [
    [`${at}/price`, price],
    [`${at}/tradePrice`, tradePrice],
    ...(quantityPrices ?? []).map((each, index): [string, http.Money] => [
      `${at}/quantityPrices/${index}/price`,
      each.price,
    ]),
  ];
}

/** A change of the counted stock. `change` is added to the stock; below 0 it is deducted. */
export interface StockChange {
  /** The variant of which the stock changes; undefined for a product that is its own variant. */
  readonly variantId?: string | undefined;
  readonly change: number;
  readonly reason: string | null;
  /** If a change with this key was already made, nothing changes. */
  readonly key: string | undefined;
}

/**
 * Changes the stock, unless a change with this key was already made. `expect` is called only for a new change and may
 * throw. Throws `insufficient_stock`, `not_found` for an unknown variant, and `variant_required` if no variant is named
 * and the product has some. What is reserved for orders can't be taken, unless the product may be back-ordered.
 */
export function changeStock(
  product: Product,
  { variantId, change, reason, key }: StockChange,
  { now, expect }: { now: Date; expect: () => void },
): Decision<Product, Product> {
  if (key !== undefined && product.stockKeys.includes(key)) return unchanged(product);
  expect();
  if (variantId === undefined && hasVariants(product)) throw catalogErrors.variantRequired();
  const variant = variantWithId(product, variantId ?? ownVariantId(product.id));
  const takeable = product.selling.backOrders.allowed ? variant.stock : freeOf(variant);
  if (takeable + change < 0) throw catalogErrors.insufficientStock(takeable, change);
  const stockKeys = key === undefined ? product.stockKeys : withStockKey(product.stockKeys, key).kept;
  const counted = withPieces(product, variant, { stock: variant.stock + change });
  const next = { ...withTotals(counted), stockKeys, updatedAt: now };
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

/**
 * Decides to save `after` in place of `before`, with the events about the change. `after` is null for a deletion. Throws
 * `stock_reserved` if a variant would be gone of which pieces are reserved.
 */
export function saveProduct(before: Product | null, after: Product | null): Decision<Product, ProductBeforeAfter> {
  const result = { before, after };
  if (after === before) return unchanged(result);
  const reserved = before && reservedAndGone(before, after);
  if (reserved) throw catalogErrors.stockReserved(reserved.sku, reserved.reserved);
  const facts = factsOfProduct(before, after);
  return after === null ? deleted(facts, result) : changed(after, facts, result);
}

/** Why the stock changed; a function gives the reason by how many more pieces are free, and how many more are counted. */
type Reason = string | null | ((change: number, counted: number) => string);

/** The events about a change. */
export function factsOfProduct(before: Product | null, after: Product | null, reason: Reason = null): Fact[] {
  if (after === null) {
    if (before === null) return [];
    const { id, sku, name } = before;
    return [fact(catalogEvents.productDeleted, id, { id, sku, name })];
  }
  if (before === null) return [fact(catalogEvents.productCreated, after.id, eventData(after))];
  const facts: Fact[] = [];
  const { stock, reserved, stockKeys, updatedAt } = after;
  const variants = withPiecesOf(before.variants, after.variants);
  const restocked = { stock, reserved, stockKeys, updatedAt, variants };
  if (!isDeepStrictEqual({ ...before, ...restocked }, after))
    facts.push(fact(catalogEvents.productChanged, after.id, eventData(after)));
  for (const { variant, before: was, change } of stockMoves(before, after)) {
    const why = typeof reason === 'function' ? reason(change, variant.stock - was.stock) : reason;
    const moved = { variantId: variant.id, change, reason: why };
    facts.push(fact(catalogEvents.stockChanged, after.id, { ...eventData(after), ...moved }));
    if (hasFallenLow(after.selling, freeOf(was), freeOf(variant))) facts.push(stockLowFact(after, variant));
  }
  return facts;
}

/**
 * Whether orders have reserved pieces or given some back while each variant can be bought as before: what is counted and
 * whether there is any are the same, and none has fallen low.
 */
export function isOnlyReserved(before: Product, after: Product): boolean {
  const moves = stockMoves(before, after);
  return (
    moves.length > 0 &&
    moves.every(({ variant, before: was }) => {
      const [free, wasFree] = [freeOf(variant), freeOf(was)];
      return variant.stock === was.stock && free > 0 === wasFree > 0 && !hasFallenLow(after.selling, wasFree, free);
    })
  );
}

function stockLowFact({ id, name, selling }: Product, variant: Variant): Fact {
  const { id: variantId, sku, values } = variant;
  const threshold = selling.lowStockThreshold ?? 0;
  const low = { id, variantId, sku, name, values: [...values], stock: freeOf(variant), threshold };
  return fact(catalogEvents.stockLow, id, low);
}

/** The event with the current state of the product. */
export function snapshotFact(product: Product): Fact {
  return fact(catalogEvents.productSnapshot, product.id, { ...eventData(product), deleted: false });
}

/** The last published facts of a product, which are stored after its deletion. */
export function lastFacts(product: Product): catalogEvents.ProductFacts {
  return { ...eventData(product), available: false };
}

/** What the events say of a product. */
export function eventData(product: Product): catalogEvents.ProductFacts {
  const { id, sku, name, slug, price, tradePrice, status, selling } = product;
  const free = freeOfProduct(product);
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
    stock: free,
    counted: product.stock,
    available: status === 'active' && free > 0,
    options: product.options.map((option) => ({ name: option.name, values: [...option.values] })),
    variants: variantsOf(product).map((variant) => ({
      id: variant.id,
      sku: variant.sku,
      values: [...variant.values],
      price: priceOf(variant, product),
      tradePrice: variant.tradePrice ?? tradePrice,
      ...(variant.quantityPrices && hasVariants(product)
        ? { quantityPrices: eventPrices(variant.quantityPrices) }
        : {}),
      stock: freeOf(variant),
      counted: variant.stock,
      weight: variant.weight ?? selling.weight,
      status: variant.status,
    })),
    taxClass: selling.taxClass,
    weight: selling.weight,
    quantityPrices: eventPrices(selling.quantityPrices),
    availableFrom: selling.availableFrom?.toISOString() ?? null,
    backOrders: selling.backOrders,
  };
}

function eventPrices(prices: Selling['quantityPrices']): { from: number; price: http.Money }[] {
  return prices.map(({ from, price }) => ({ from, price }));
}
