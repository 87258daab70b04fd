import { catalogHttp } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import type { Claims } from '../claims.ts';
import { unknownUploads } from '../pictures.ts';
import { newProduct, skuKey, withChange, withNext, type Product } from '../product.ts';
import { slugCandidates } from '../slug.ts';
import { priceOf, type Variant } from '../variants.ts';
import { changesOfProduct, changesOfVariant, type CellChange, type SlugOfCategory } from './columns.ts';
import { fault, missing, type RowFault, type RowSource } from './file-row.ts';
import type { FaultyRow, ImportRow, ProductRow, VariantRow } from './import-row.ts';
import type { ProductRows } from './product-rows.ts';
import { decideVariants, foreignPicture, type DecidedVariants } from './variant-rows.ts';

/** What becomes of a row. */
export interface RowOutcome extends RowSource {
  readonly result: 'created' | 'changed' | 'unchanged' | 'refused';
  /** Why the row is refused. */
  readonly faults: readonly RowFault[];
  /** What is strange about a row that is taken. */
  readonly warnings: readonly RowFault[];
  /** What the row changes; of a new product or variant all that it has. */
  readonly changes: readonly CellChange[];
}

/** A product that is to be stored. `before` is null for a new one. */
export interface DecidedProduct {
  readonly id: string;
  readonly before: Product | null;
  readonly after: Product;
}

/** What is stored about the rows. */
export interface Known {
  /** The product with this key of an SKU, also that of a variant; or the id for a new one. */
  readonly productOf: (key: string) => Product | { readonly id: string };
  /** The owners of the SKUs of all rows, by their keys. */
  readonly skus: Pick<Claims, 'isFree'>;
  /** The id for a new variant with this SKU. */
  readonly newVariantId: (sku: string) => string;
  /** The ids of categories by the names in the rows. */
  readonly categories: ReadonlyMap<string, string>;
  /** The slugs of `slugsOfRow` of all rows, and of the products that the rows change. */
  readonly slugs: Claims;
  readonly slugOf: SlugOfCategory;
  readonly now: Date;
}

interface Decided {
  readonly outcomes: readonly RowOutcome[];
  readonly products: readonly DecidedProduct[];
}

/**
 * Decides about products in the order of their rows: what becomes of each row, and the products to store. All rows of a product
 * are taken, or none. A slug that an earlier product frees is free for a later one. The slugs are taken and released in
 * `known.slugs`.
 */
export function decideRows(groups: readonly ProductRows[], known: Known): Decided {
  const decided = groups.map((group) => decideProduct(group, known));
  return {
    outcomes: decided.flatMap(({ outcomes }) => outcomes),
    products: decided.flatMap(({ products }) => products),
  };
}

/** The slugs to try, in this order, for the product with this id; none if the row leaves the slug as it is. */
export function slugsOfRow({ input }: ProductRow, id: string, isNew: boolean): string[] {
  if (input.slug !== undefined) return [input.slug];
  return isNew && input.name !== undefined ? slugCandidates(input.name, id) : [];
}

function decideProduct({ key, rows }: ProductRows, known: Known): Decided {
  const readable = rows.filter((row): row is ImportRow => !('faults' in row));
  if (key === null || readable.length < rows.length) return refused(rows, (row) => ('faults' in row ? row.faults : []));
  const found = known.productOf(key);
  const before = 'sku' in found ? found : null;
  const { id } = found;
  const product = readable.find((row) => row.variantOf === null) ?? null;
  const variants = readable.filter((row) => row.variantOf !== null);
  const decided = decideVariants(product, variants, {
    before,
    isTaken: (sku) => !known.skus.isFree(skuKey(sku), id),
    newVariantId: known.newVariantId,
  });
  const faultsOf = (row: ImportRow) =>
    row.variantOf === null
      ? [...faultsOfProduct(row, id, before, known, decided), ...(decided.faults.get(row) ?? [])]
      : faultsOfVariant(row, { isNew: product === null && before === null, before }, decided);
  const faults = new Map<RowSource, readonly RowFault[]>(readable.map((row) => [row, faultsOf(row)]));
  if ([...faults.values()].some(({ length }) => length > 0)) return refused(rows, (row) => faults.get(row) ?? []);
  const after = productAfter(product, { id, before, key }, known, decided);
  const outcomes = readable.map((row) => outcomeOf(row, before, after, known));
  return { outcomes, products: after === before ? [] : [{ id, before, after }] };
}

/** The rows of a product that is refused, because of some of them. */
function refused(
  rows: readonly (ImportRow | FaultyRow)[],
  faultsOf: (row: ImportRow | FaultyRow) => readonly RowFault[],
): Decided {
  const cause = rows.find((row) => faultsOf(row).length > 0)?.place;
  const outcomes = rows.map((row): RowOutcome => {
    const own = faultsOf(row);
    const faults = own.length > 0 ? own : [missing(null, `is not imported because of ${cause}, of the same product`)];
    return { ...sourceOf(row), result: 'refused', faults, warnings: [], changes: [] };
  });
  return { outcomes, products: [] };
}

function outcomeOf(row: ImportRow, before: Product | null, after: Product, { slugOf }: Known): RowOutcome {
  const source = { ...sourceOf(row), faults: [] };
  if (row.variantOf === null) {
    const warnings = warningsOf(row, after);
    const changes = after === before ? [] : changesOfProduct(before, after, slugOf);
    const result = before === null ? 'created' : changes.length > 0 ? 'changed' : 'unchanged';
    return { ...source, result, warnings, changes };
  }
  const variantIn = (product: Product | null) =>
    product?.variants.find(({ sku }) => skuKey(sku) === skuKey(row.sku)) ?? null;
  const [was, variant] = [variantIn(before), variantIn(after)];
  if (!variant) throw new Error(`${after.id} has no variant ${row.sku}`);
  const changes = changesOfVariant(was, variant, after);
  const result = was === null ? 'created' : changes.length > 0 ? 'changed' : 'unchanged';
  return { ...source, result, warnings: warningsOf(row, priced(variant, after)), changes };
}

function sourceOf({ place, end, sku, variantOf, cells }: RowSource): RowSource {
  return { place, end, sku, variantOf, cells };
}

function faultsOfProduct(
  row: ProductRow,
  id: string,
  before: Product | null,
  known: Known,
  { options }: DecidedVariants,
): RowFault[] {
  const { sku, input, categories = [], images = [] } = row;
  const isNew = before === null;
  const foreign = new Set(unknownUploads(before, images).map(({ pointer }) => pointer));
  return [
    ...(before && skuKey(before.sku) !== skuKey(sku)
      ? [fault('sku', sku, `belongs to a variant of ${before.sku}, which variantOf must name`)]
      : []),
    ...(options.length > 0 && input.stock !== undefined
      ? [fault('stock', String(input.stock), 'can not be: each variant has its own')]
      : []),
    ...images
      .filter((_image, at) => foreign.has(`/images/${at}/url`))
      .map(({ url }) => fault('images', url, 'is an uploaded picture of another product')),
    ...(isNew && input.name === undefined ? [missing('name', 'is required for a new product')] : []),
    ...(input.slug !== undefined && !known.slugs.isFree(input.slug, id)
      ? [fault('slug', input.slug, 'belongs to another product')]
      : []),
    ...categories
      .filter((name) => !known.categories.has(name))
      .map((name) => fault('categories', name, 'is neither the slug nor the id of a category')),
    ...(isNew && input.price === undefined ? [missing('price', 'is required for a new product')] : []),
  ];
}

/** `isNew`: the product is neither stored nor in the row before. */
function faultsOfVariant(
  row: VariantRow,
  { isNew, before }: { readonly isNew: boolean; readonly before: Product | null },
  { faults }: DecidedVariants,
): readonly RowFault[] {
  if (isNew)
    return [fault('variantOf', row.variantOf, 'is no product: its row must stand before those of its variants')];
  if (before && skuKey(before.sku) !== skuKey(row.variantOf))
    return [fault('variantOf', row.variantOf, `is a variant of ${before.sku}, not a product`)];
  return [...(faults.get(row) ?? []), ...foreignPicture(row, before)];
}

function productAfter(
  row: ProductRow | null,
  { id, before, key }: { readonly id: string; readonly before: Product | null; readonly key: string },
  known: Known,
  { options, variants }: DecidedVariants,
): Product {
  const { now } = known;
  const fields = row && fieldsOf(row, { id, before }, known);
  if (before === null) {
    const own = variants.map(({ id: _id, reserved: _none, ...variant }) => variant);
    const input = catalogHttp.productCreation.parse({ ...fields?.input, sku: row?.sku ?? key, options, variants: own });
    return newProduct(input, { id, slug: fields?.slug ?? id, now });
  }
  const changed = fields ? withChange(before, fields.input, now) : before;
  const after = withNext(before, { ...changed, options, variants }, now);
  if (after.slug !== before.slug) known.slugs.release(before.slug, id);
  return after;
}

function fieldsOf(
  row: ProductRow,
  { id, before }: { readonly id: string; readonly before: Product | null },
  { categories, slugs }: Known,
): { readonly input: catalogHttp.ProductChange; readonly slug: string | undefined } {
  const input = {
    ...row.input,
    ...(row.categories && { categoryIds: [...new Set(row.categories.flatMap((name) => categories.get(name) ?? []))] }),
    ...(row.images && { images: row.images.map(({ url, alt }) => ({ url, alt: alt ?? altOf(before, url) })) }),
  };
  // An existing product keeps its slug, even if the row changes its name.
  return { input, slug: slugs.take(slugsOfRow(row, id, before === null), id) };
}

function altOf(before: Product | null, url: string): string {
  return before?.images.find((image) => image.url === url)?.alt ?? '';
}

/** The prices that apply to a variant. */
function priced(variant: Variant, product: Product): Pick<Product, 'price' | 'tradePrice'> {
  return { price: priceOf(variant, product), tradePrice: variant.tradePrice ?? product.tradePrice };
}

function warningsOf({ input }: ImportRow, { price, tradePrice }: Pick<Product, 'price' | 'tradePrice'>): RowFault[] {
  const isNamed = input.price !== undefined || input.tradePrice !== undefined;
  if (!isNamed || tradePrice === null || tradePrice.amount <= price.amount) return [];
  return [fault('tradePrice', toDecimal(tradePrice), `is above the price, ${toDecimal(price)}`)];
}
