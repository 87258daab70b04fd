import { catalogHttp } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import type { Claims } from '../claims.ts';
import { unknownUploads } from '../pictures.ts';
import { newProduct, skuKey, withChange, type Product } from '../product.ts';
import { slugCandidates } from '../slug.ts';
import { hasVariants } from '../variants.ts';
import { cellChanges, type CellChange, type SlugOfCategory } from './columns.ts';
import { fault, missing, type RowFault, type RowSource } from './file-row.ts';
import type { FaultyRow, ImportRow } from './import-row.ts';

/** What becomes of a row. */
export interface RowOutcome extends RowSource {
  readonly result: 'created' | 'changed' | 'unchanged' | 'refused';
  /** Why the row is refused. */
  readonly faults: readonly RowFault[];
  /** What is strange about a row that is taken. */
  readonly warnings: readonly RowFault[];
  /** What the row changes; of a new product all that it has. */
  readonly changes: readonly CellChange[];
}

/** A product that is to be stored. */
export interface DecidedProduct {
  readonly id: string;
  readonly after: Product;
}

/** What is stored about the rows. */
export interface Known {
  /** The product with the row's SKU, or the id for a new one. */
  readonly productOf: (row: ImportRow) => Product | { readonly id: string };
  /** The ids of categories by the names in the rows. */
  readonly categories: ReadonlyMap<string, string>;
  /** The slugs of `slugsOfRow` of all rows, and of the products that the rows change. */
  readonly slugs: Claims;
  readonly slugOf: SlugOfCategory;
  readonly now: Date;
}

/**
 * Decides about rows in their order: what becomes of each, and the products to store. A slug that an earlier row frees is
 * free for a later one. The slugs are taken and released in `known.slugs`.
 */
export function decideRows(
  rows: readonly (ImportRow | FaultyRow)[],
  known: Known,
): { readonly outcomes: readonly RowOutcome[]; readonly products: readonly DecidedProduct[] } {
  const products: DecidedProduct[] = [];
  const outcomes = rows.map((row): RowOutcome => {
    const { place, end, sku, cells } = row;
    const source = { place, end, sku, cells, faults: [], warnings: [], changes: [] };
    if ('faults' in row) return { ...source, result: 'refused', faults: row.faults };
    const found = known.productOf(row);
    const before = 'sku' in found ? found : null;
    const faults = faultsOf(row, found.id, before, known);
    if (faults.length > 0) return { ...source, result: 'refused', faults };
    const after = productAfter(row, found.id, before, known);
    const warnings = warningsOf(row, after);
    if (after === before) return { ...source, result: 'unchanged', warnings };
    products.push({ id: found.id, after });
    const changes = cellChanges(before, after, known.slugOf);
    return { ...source, result: before === null ? 'created' : 'changed', warnings, changes };
  });
  return { outcomes, products };
}

/** The slugs to try, in this order, for the product with this id; none if the row leaves the slug as it is. */
export function slugsOfRow({ input }: ImportRow, id: string, isNew: boolean): string[] {
  if (input.slug !== undefined) return [input.slug];
  return isNew && input.name !== undefined ? slugCandidates(input.name, id) : [];
}

/** Refuses rows whose SKU stands in an earlier row already. `seen` has the places of all earlier SKUs of the file. */
export function refuseRepeated(row: ImportRow | FaultyRow, seen: Map<string, string>): ImportRow | FaultyRow {
  if ('faults' in row) return row;
  const { place, end, sku, cells } = row;
  const earlier = seen.get(skuKey(sku));
  if (earlier !== undefined)
    return { place, end, sku, cells, faults: [fault('sku', sku, `stands in ${earlier} already`)] };
  seen.set(skuKey(sku), place);
  return row;
}

function faultsOf(row: ImportRow, id: string, before: Product | null, known: Known): RowFault[] {
  const { sku, input, categories = [], images = [] } = row;
  const isNew = before === null;
  const foreign = new Set(unknownUploads(before, images).map(({ pointer }) => pointer));
  return [
    ...(before && skuKey(before.sku) !== skuKey(sku) ? [fault('sku', sku, 'belongs to a variant of a product')] : []),
    ...(before && hasVariants(before) && input.stock !== undefined
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

function productAfter(row: ImportRow, id: string, before: Product | null, { categories, slugs, now }: Known): Product {
  const input = {
    ...row.input,
    ...(row.categories && { categoryIds: [...new Set(row.categories.flatMap((name) => categories.get(name) ?? []))] }),
    ...(row.images && { images: row.images.map(({ url, alt }) => ({ url, alt: alt ?? altOf(before, url) })) }),
  };
  // An existing product keeps its slug, even if the row changes its name.
  const slug = slugs.take(slugsOfRow(row, id, before === null), id);
  if (before === null)
    return newProduct(catalogHttp.productCreation.parse({ ...input, sku: row.sku }), { id, slug: slug ?? id, now });
  const after = withChange(before, input, now);
  if (after.slug !== before.slug) slugs.release(before.slug, id);
  return after;
}

function altOf(before: Product | null, url: string): string {
  return before?.images.find((image) => image.url === url)?.alt ?? '';
}

function warningsOf({ input }: ImportRow, { price, tradePrice }: Product): RowFault[] {
  const isNamed = input.price !== undefined || input.tradePrice !== undefined;
  if (!isNamed || tradePrice === null || tradePrice.amount <= price.amount) return [];
  return [fault('tradePrice', toDecimal(tradePrice), `is above the price, ${toDecimal(price)}`)];
}
