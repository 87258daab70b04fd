import { catalogHttp } from '@storefront/contracts';
import type { CsvCell } from '@storefront/csv';
import { toDecimal } from '@storefront/money';
import { z } from 'zod';
import type { Product } from '../product.ts';
import { hasVariants, type Variant } from '../variants.ts';
import type { AmountForm } from './amounts.ts';
import { writeAttributes, writeItems, writeOption, writePictures, writeQuantities } from './lists.ts';

export type Column = (typeof catalogHttp.productColumns)[number];
/** What a column holds in rows of products, or in those of variants. */
export type ColumnUse = NonNullable<Column['product'] | Column['variant']>;

/** Returns the slug of a category by its id; the id where it has none. */
export type SlugOfCategory = (id: string) => string;

type FieldInFile = Exclude<NonNullable<Column['product']>['field'], keyof Product['selling']>;
export type ProductInFile = Pick<Product, FieldInFile | 'selling' | 'variants'>;

/** The rows of a product and its variants, by the columns of a file, as an import reads them again. */
export function rowsOfProduct(
  product: ProductInFile,
  slugOf: SlugOfCategory,
  decimalSign: AmountForm['decimalSign'],
): CsvCell[][] {
  return [
    cellsOfProduct(product, slugOf, decimalSign),
    ...product.variants.map((variant) => cellsOfVariant(variant, product, decimalSign)),
  ];
}

/** A cell before and after a change. Amounts have a decimal point; null is an empty cell. */
export interface CellChange {
  readonly column: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What differs between two states of a product, in the cells of its own row. `before` is null for a new product. */
export function changesOfProduct(
  before: ProductInFile | null,
  after: ProductInFile,
  slugOf: SlugOfCategory,
): CellChange[] {
  return changesOf(before && cellsOfProduct(before, slugOf), cellsOfProduct(after, slugOf));
}

/** What differs between two states of a variant of `product`, in the cells of its row. `before` is null for a new variant. */
export function changesOfVariant(
  before: Variant | null,
  after: Variant,
  product: Pick<ProductInFile, 'sku'>,
): CellChange[] {
  return changesOf(before && cellsOfVariant(before, product), cellsOfVariant(after, product));
}

function changesOf(before: readonly CsvCell[] | null, after: readonly CsvCell[]): CellChange[] {
  return catalogHttp.productColumns.flatMap(({ name }, index) => {
    const [from, to] = [plain(before?.[index] ?? null), plain(after[index] ?? null)];
    return from === to ? [] : [{ column: name, from, to }];
  });
}

function cellsOfProduct(product: ProductInFile, slugOf: SlugOfCategory, sign?: AmountForm['decimalSign']): CsvCell[] {
  return catalogHttp.productColumns.map(({ name, product: use }) =>
    use === null ? null : cellOf(use.kind, valueOfProduct(use.field, name, product, slugOf), sign),
  );
}

function valueOfProduct(
  field: NonNullable<Column['product']>['field'],
  column: string,
  product: ProductInFile,
  slugOf: SlugOfCategory,
): unknown {
  const { selling } = product;
  if (field === 'categoryIds') return product.categoryIds.map(slugOf);
  if (field === 'options') return product.options[placeOfOption(column)];
  if (field === 'quantityPrices') return selling.quantityPrices.length > 0 ? selling.quantityPrices : null;
  if (field === 'taxClass' || field === 'weight') return selling[field];
  // The stock of a product with variants is theirs.
  return field === 'stock' && hasVariants(product) ? null : product[field];
}

function cellsOfVariant(
  variant: Variant,
  product: Pick<ProductInFile, 'sku'>,
  sign?: AmountForm['decimalSign'],
): CsvCell[] {
  return catalogHttp.productColumns.map(({ name, variant: use }) => {
    if (use === null) return null;
    if (use.field === 'variantOf') return product.sku;
    return cellOf(use.kind, use.field === 'values' ? variant.values[placeOfOption(name)] : variant[use.field], sign);
  });
}

/** Which option a column is, from 0. */
export function placeOfOption(column: string): number {
  return catalogHttp.optionColumns.findIndex((name) => name === column);
}

const writers: Partial<Record<ColumnUse['kind'], (value: any, sign: AmountForm['decimalSign']) => string>> = {
  prices: writeQuantities,
  categories: writeItems,
  pictures: writePictures,
  attributes: writeAttributes,
  option: writeOption,
};

/** The cell for a value in the form of the API. */
function cellOf(kind: ColumnUse['kind'], value: unknown, sign: AmountForm['decimalSign'] = '.'): CsvCell {
  if (value === null || value === undefined) return null;
  const write = writers[kind];
  return write ? write(value, sign) || null : (value as CsvCell);
}

function plain(cell: CsvCell): string | null {
  return typeof cell === 'object' && cell !== null ? toDecimal(cell) : cell === null ? null : String(cell);
}

const categories = z.array(z.string().min(1).max(100)).max(20);
const { url, alt } = catalogHttp.productFields.images.element.shape;
const pictures = z.array(z.strictObject({ url, alt: alt.unwrap().optional() })).max(catalogHttp.mostPictures);
const ownSchemas: Partial<Record<ColumnUse['kind'], z.ZodType>> = { categories, pictures };

/** The schema of the values of a column: that of the API, but for what an import takes in another form. */
export function schemaOf({ kind, schema }: ColumnUse): z.ZodType {
  return ownSchemas[kind] ?? schema;
}

/** The text of a cell for a value of a JSON file; JSON for a value that is wrong. */
export function textOfValue(use: ColumnUse, value: unknown): string {
  if (typeof value === 'string') return value;
  const { success, data } = schemaOf(use).safeParse(value);
  return (success ? plain(cellOf(use.kind, data)) : JSON.stringify(value)) ?? '';
}

/** The names of the columns of a file, in their order. */
export const columnsInWords = catalogHttp.productColumns.map(({ name }) => name).join(', ');
