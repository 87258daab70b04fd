import {
  catalogErrors,
  catalogFields,
  catalogHttp,
  derivedId,
  http,
  invalidFields,
  notFound,
  ownVariantId,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { quantityPrices, type Selling } from './selling.ts';

const variantState = z.object({
  id: z.string(),
  sku: z.string(),
  /** One value of each option, in the order of the options. */
  values: z.array(z.string()),
  /** Null where the product's price applies. */
  price: http.money.nullable(),
  tradePrice: http.money.nullable(),
  quantityPrices: quantityPrices.nullable(),
  /** As counted, with what is reserved. */
  stock: z.int(),
  /** How many pieces are reserved for orders. */
  reserved: z.int(),
  weight: z.int().nullable(),
  image: z.string().nullable(),
  status: catalogHttp.variantStatus,
});
export type Variant = StateOf<typeof variantState>;

/** The stored fields of a product that are about its variants. */
export const variantFields = z.object({
  options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  /** Empty for a product without options, which is its own only variant. Otherwise at least one is active. */
  variants: z.array(variantState),
  /** The lowest retail price of an active variant, by which lists are sorted and filtered. */
  lowestPrice: z.int(),
});

/** The part of a product that is about variants, or that a product without options has in common with its variant. */
export interface Varied extends Omit<StateOf<typeof variantFields>, 'lowestPrice'> {
  readonly id: string;
  readonly sku: string;
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
  readonly stock: number;
  readonly reserved: number;
  readonly selling: Selling;
}

/** What a product without options has in common with its only variant. */
type Own = Pick<Varied, 'sku' | 'price' | 'tradePrice' | keyof Pieces | 'selling'>;

/** How many pieces there are: as counted, and how many of those are reserved for orders. */
type Pieces = Pick<Variant, 'stock' | 'reserved'>;

/** Whether the product has variants besides itself. */
export function hasVariants({ variants }: Pick<Varied, 'variants'>): boolean {
  return variants.length > 0;
}

/** All variants of a product, at least one. A product without options is its own. */
export function variantsOf(product: Varied): readonly Variant[] {
  if (hasVariants(product)) return product.variants;
  const { id, sku, price, tradePrice, stock, reserved, selling } = product;
  const { quantityPrices, weight } = selling;
  const own = { id: ownVariantId(id), sku, values: [], price, tradePrice, quantityPrices };
  return [{ ...own, stock, reserved, weight, image: null, status: 'active' }];
}

function ownOf({ sku, price, tradePrice, stock, reserved, selling }: Own): Own {
  return { sku, price, tradePrice, stock, reserved, selling };
}

/** Throws `not_found` if the product has no such variant. */
export function variantWithId(product: Varied, variantId: string): Variant {
  const found = variantsOf(product).find(({ id }) => id === variantId);
  if (!found) throw notFound('variant');
  return found;
}

/** How many pieces of a variant are in stock and not reserved. */
export function freeOf({ stock, reserved }: Pieces): number {
  // Back-orders reserve more than there is, and a count may find fewer than are reserved.
  return Math.max(0, stock - reserved);
}

/** How many pieces of a product are free: those of its active variants. */
export function freeOfProduct(product: Pick<Varied, 'variants' | keyof Pieces>): number {
  if (!hasVariants(product)) return freeOf(product);
  return product.variants.filter(isActive).reduce((sum, each) => sum + freeOf(each), 0);
}

/** The retail price of a variant. */
export function priceOf({ price }: Pick<Variant, 'price'>, product: Pick<Varied, 'price'>): http.Money {
  return price ?? product.price;
}

interface WithSku {
  readonly sku: string;
}

/** The SKUs of a product and of its variants. One of the variants may have the SKU of the product. */
export function skusOf(product: WithSku & { readonly variants: readonly WithSku[] }): string[] {
  return [product, ...product.variants].map(({ sku }) => sku);
}

/** The product with the stock, the reserved pieces and the lowest price that follow from its variants. */
export function withTotals<Product extends Varied>(product: Product): Product & { readonly lowestPrice: number } {
  if (!hasVariants(product)) return { ...product, lowestPrice: product.price.amount };
  const active = product.variants.filter(isActive);
  const stock = active.reduce((sum, each) => sum + each.stock, 0);
  const reserved = active.reduce((sum, each) => sum + each.reserved, 0);
  const lowestPrice = Math.min(...active.map((each) => priceOf(each, product).amount));
  return { ...product, stock, reserved, lowestPrice };
}

/** The variants of a new product. The ids follow from that of the product, so that a repeated creation makes the same. */
export function newVariants(productId: string, inputs: readonly catalogHttp.VariantCreation[]): Variant[] {
  return inputs.map((input, index) => ({ id: derivedId('var', productId, String(index)), ...input, reserved: 0 }));
}

const inherited = { price: null, tradePrice: null, quantityPrices: null, weight: null };

/**
 * The variants of a product with these options. A variant gets the first value of an option that is added at the end; a product
 * that had no options becomes the first variant.
 */
export function variantsUnder(product: Varied, options: Varied['options']): Variant[] {
  const known = variantsOf(product);
  const next = hasVariants(product) ? known : known.map((own) => ({ ...own, ...inherited }));
  return next.map((each) => ({
    ...each,
    values: options.map(({ values }, index) => each.values[index] ?? values[0] ?? ''),
  }));
}

/**
 * The product's fields with these options and `variantsUnder` them. A product whose last option is removed takes over SKU, prices,
 * stock and weight of its only variant. Throws `option_in_use` if a variant has a value that is gone, or if two variants would
 * become the same.
 */
export function withOptions(product: Varied, options: Varied['options']): Own & Pick<Varied, 'options' | 'variants'> {
  const variants = variantsUnder(product, options);
  for (const { sku, values } of variants) {
    const why = catalogHttp.whyUnfit(options, values);
    if (why !== null) throw catalogErrors.optionInUse(sku, why);
  }
  const twin = variants.find((each, index) => sameValues(variants.slice(0, index), each.values));
  if (twin) throw catalogErrors.optionInUse(twin.sku, 'another variant would have the same values');
  if (options.length > 0) return { ...ownOf(product), options, variants };
  // Without options there is only one combination of values, so only one variant is left.
  const { selling } = product;
  const [own = { ...ownOf(product), ...selling }] = variants;
  const quantityPrices = own.quantityPrices ?? selling.quantityPrices;
  return {
    sku: own.sku,
    price: own.price ?? product.price,
    tradePrice: own.tradePrice ?? product.tradePrice,
    stock: own.stock,
    reserved: own.reserved,
    selling: { ...selling, quantityPrices, weight: own.weight ?? selling.weight },
    options,
    variants: [],
  };
}

/**
 * The product with one variant more. Throws `variant_exists`, `sku_taken`, `too_many_variants`, and
 * `validation_failed` if the values do not fit the options.
 */
export function withVariantAdded<Product extends Varied>(
  product: Product,
  id: string,
  input: catalogHttp.VariantCreation,
): Product {
  const added = { id, ...input, reserved: 0 };
  checkAmong(product, added);
  if (product.variants.length >= catalogHttp.mostVariants)
    throw catalogErrors.tooManyVariants(catalogHttp.mostVariants);
  return { ...product, variants: [...product.variants, added] };
}

/**
 * The product with a changed variant. Throws `not_found`, `is_own_variant` for a product without options,
 * `variant_exists`, `sku_taken`, `last_variant`, and `validation_failed` if the values do not fit the options.
 */
export function withVariantChanged<Product extends Varied>(
  product: Product,
  variantId: string,
  input: catalogHttp.VariantChange,
): Product {
  const before = variantWithId(product, variantId);
  if (!hasVariants(product)) throw catalogErrors.isOwnVariant();
  const after: Variant = { ...before, ...input };
  checkAmong(product, after);
  return { ...product, variants: keepingOneActive(replaced(product.variants, after)) };
}

/** The product without the variant. Throws `not_found` and `last_variant`. */
export function withoutVariant<Product extends Varied>(product: Product, variantId: string): Product {
  const { id: removed } = variantWithId(product, variantId);
  return { ...product, variants: keepingOneActive(product.variants.filter(({ id }) => id !== removed)) };
}

/** The product with other numbers of pieces of this variant, which may be the product's own. */
export function withPieces<Product extends Varied>(
  product: Product,
  variant: Variant,
  pieces: Partial<Pieces>,
): Product {
  if (!hasVariants(product)) return { ...product, ...pieces };
  return { ...product, variants: replaced(product.variants, { ...variant, ...pieces }) };
}

/** A variant with other numbers of pieces than before, with how many more or fewer are left to sell. */
interface StockMove {
  readonly variant: Variant;
  readonly before: Variant;
  readonly change: number;
}

/**
 * The variants of which more or fewer pieces are left to sell, as others were counted or others are reserved; and those of
 * which reserved pieces are gone, which changes only how many there are.
 */
export function stockMoves(before: Varied, after: Varied): StockMove[] {
  const known = new Map(variantsOf(before).map((variant) => [variant.id, variant]));
  return variantsOf(after).flatMap((variant) => {
    const was = known.get(variant.id) ?? variant;
    const change = variant.stock - variant.reserved - (was.stock - was.reserved);
    return change === 0 && variant.stock === was.stock ? [] : [{ variant, before: was, change }];
  });
}

/** A variant of which pieces are reserved and that `after` no longer has; `after` is null for a deleted product. */
export function reservedAndGone(before: Varied, after: Varied | null): Variant | undefined {
  const kept = new Set((after ? variantsOf(after) : []).map(({ id }) => id));
  return variantsOf(before).find(({ id, reserved }) => reserved > 0 && !kept.has(id));
}

/** The variants with the numbers of pieces that they have in `other`. */
export function withPiecesOf(variants: readonly Variant[], other: readonly Variant[]): readonly Variant[] {
  const known = new Map(other.map((each) => [each.id, each]));
  return variants.map((each) => {
    const { stock, reserved } = known.get(each.id) ?? each;
    return { ...each, stock, reserved };
  });
}

function checkAmong(product: Varied, { id, sku, values }: Variant): void {
  const why = catalogHttp.whyUnfit(product.options, values);
  if (why !== null) throw invalidFields([catalogFields.unfitValues('/values', why)]);
  const others = variantsOf(product).filter((each) => each.id !== id);
  const twin = sameValues(others, values);
  if (twin) throw catalogErrors.variantExists(twin.sku);
  if (others.some((each) => catalogHttp.skuKey(each.sku) === catalogHttp.skuKey(sku)))
    throw catalogErrors.skuTaken(sku);
}

function sameValues(variants: readonly Variant[], values: readonly string[]): Variant | undefined {
  const combination = catalogHttp.combinationOf({ values });
  return variants.find((each) => catalogHttp.combinationOf(each) === combination);
}

function keepingOneActive(variants: readonly Variant[]): readonly Variant[] {
  if (!variants.some(isActive)) throw catalogErrors.lastVariant();
  return variants;
}

function replaced(variants: readonly Variant[], by: Variant): readonly Variant[] {
  return variants.map((each) => (each.id === by.id ? by : each));
}

export function isActive({ status }: Pick<Variant, 'status'>): boolean {
  return status === 'active';
}
