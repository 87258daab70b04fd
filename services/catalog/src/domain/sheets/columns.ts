import { catalogHttp } from '@storefront/contracts';
import type { CsvCell } from '@storefront/csv';
import { toDecimal } from '@storefront/money';
import type { Product } from '../product.ts';
import { hasVariants } from '../variants.ts';
import { writeAttributes, writeItems, writePictures } from './lists.ts';

type Column = (typeof catalogHttp.productColumns)[number];
type Fields = Pick<Product, Exclude<Column['field'], 'taxClass' | 'weight'> | 'selling' | 'variants'>;

/** Returns the slug of a category by its id; the id where it has none. */
export type SlugOfCategory = (id: string) => string;

/** The cells of a product, by the columns of a file, as an import reads them again. */
export function cellsOfProduct(product: Fields, slugOf: SlugOfCategory): CsvCell[] {
  return catalogHttp.productColumns.map((column) => cellOf(column, product, slugOf));
}

/** What differs between two states of a product, by column, as the cells say it. `before` is null for a new product. */
export function cellChanges(before: Fields | null, after: Fields, slugOf: SlugOfCategory): CellChange[] {
  return catalogHttp.productColumns.flatMap((column) => {
    const [from, to] = [before && plain(cellOf(column, before, slugOf)), plain(cellOf(column, after, slugOf))];
    return from === to ? [] : [{ column: column.name, from, to }];
  });
}

/** A cell before and after a change. Amounts have a decimal point; null is an empty cell. */
export interface CellChange {
  readonly column: string;
  readonly from: string | null;
  readonly to: string | null;
}

function cellOf({ kind, field }: Column, product: Fields, slugOf: SlugOfCategory): CsvCell {
  if (kind === 'categories') return writeItems(product.categoryIds.map(slugOf)) || null;
  if (kind === 'pictures') return writePictures(product.images) || null;
  if (kind === 'attributes') return writeAttributes(product.attributes) || null;
  if (field === 'taxClass' || field === 'weight') return product.selling[field];
  // The stock of a product with variants is theirs.
  if (field === 'stock' && hasVariants(product)) return null;
  return product[field as 'price' | 'tradePrice' | 'stock' | 'status' | 'name' | 'description'];
}

function plain(cell: CsvCell): string | null {
  return typeof cell === 'object' && cell !== null ? toDecimal(cell) : cell === null ? null : String(cell);
}

/** The names of the columns of a file, in their order. */
export const columnsInWords = catalogHttp.productColumns.map(({ name }) => name).join(', ');
