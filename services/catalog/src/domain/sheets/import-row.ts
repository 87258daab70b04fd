import { catalogHttp } from '@storefront/contracts';
import { z } from 'zod';
import type { Product } from '../product.ts';
import { readAmount, type AmountForm } from './amounts.ts';
import { fault, missing, type FileRow, type RowFault, type RowSource } from './file-row.ts';
import { readAttributes, readItems, readPictures } from './lists.ts';

/** A row that could be read. */
export interface ImportRow extends RowSource {
  readonly sku: string;
  readonly input: Omit<catalogHttp.ProductChange, 'sku' | 'categoryIds' | 'images'>;
  /** The slugs or ids of its categories. Undefined if the row does not change the categories. */
  readonly categories: readonly string[] | undefined;
  /** A picture without a text keeps the text that it has. Undefined if the row does not change the pictures. */
  readonly images: readonly ImportPicture[] | undefined;
}

/** A row that is not imported. */
export interface FaultyRow extends RowSource {
  readonly faults: readonly RowFault[];
}

interface ImportPicture {
  readonly url: string;
  readonly alt: string | undefined;
}

type Column = (typeof catalogHttp.productColumns)[number];
/** The value that a cell stands for, in the form of JSON; or what is wrong with the cell. */
type ReadCell = { readonly value: unknown } | { readonly wrong: string };

const columns = new Map<string, Column>(catalogHttp.productColumns.map((column) => [column.name, column]));

/** How a text in a cell becomes a value, by what its column holds. */
const readers: Record<Column['kind'], (cell: string, form: AmountForm) => ReadCell> = {
  text: (cell) => ({ value: cell }),
  whole: (cell) => ({ value: /^\d{1,15}$/.test(cell.trim()) ? Number(cell) : cell }),
  amount(cell, form) {
    const read = readAmount(cell, form);
    return 'amount' in read ? { value: { amount: read.amount, currency: form.currency } } : read;
  },
  categories: (cell) => ({ value: readItems(cell) }),
  pictures: (cell) => ({ value: readPictures(cell) }),
  attributes: (cell) => ({ value: readAttributes(cell) }),
};

/** The schemas of values that an import takes in another form than the API. */
const categories = z.array(z.string().min(1).max(100)).max(20);
const { url, alt } = catalogHttp.productFields.images.element.shape;
const images = z.array(z.strictObject({ url, alt: alt.unwrap().optional() })).max(catalogHttp.mostPictures);
const schemas: Partial<Record<Column['name'], z.ZodType>> = { categories, images };

/**
 * Reads a row. A text is read as the cell of a spreadsheet; in JSON a value may also have the form of the API. An empty cell
 * does not change the product's value.
 */
export function readRow(row: FileRow, form: AmountForm): ImportRow | FaultyRow {
  const { place, end, sku, cells } = row;
  const source = { place, end, sku, cells };
  if ('faults' in row) return { ...source, faults: row.faults };
  const faults: RowFault[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row.values)) {
    const column = columns.get(name);
    if (column) readInto(read, faults, column, value, form);
    else if (name !== catalogHttp.reasonColumn) faults.push(missing(name.slice(0, 100), 'there is no such column'));
  }
  if (read['sku'] === undefined && !faults.some(({ column }) => column === 'sku'))
    faults.push(missing('sku', 'is missing: it says which product the row is about'));
  if (faults.length > 0) return { ...source, faults };
  const { sku: key, categoryIds, images: pictures, ...input } = read;
  return {
    ...source,
    sku: key as string,
    input,
    categories: categoryIds as ImportRow['categories'],
    images: pictures as ImportRow['images'],
  };
}

function readInto(
  read: Record<string, unknown>,
  faults: RowFault[],
  column: Column,
  value: unknown,
  form: AmountForm,
): void {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return;
  const { name, field, kind } = column;
  const cell: ReadCell = typeof value === 'string' ? readers[kind](value, form) : { value };
  if ('wrong' in cell) {
    faults.push(fault(name, value, cell.wrong));
    return;
  }
  const parsed = (schemas[name] ?? column.schema).safeParse(cell.value);
  if (parsed.success) {
    const wrong = kind === 'amount' ? wrongCurrency(parsed.data, form.currency) : undefined;
    if (wrong === undefined) read[field] = parsed.data;
    else faults.push(fault(name, value, wrong));
    return;
  }
  const needs = kind === 'amount' ? `an amount in ${form.currency}, such as 19.99` : column.needs;
  const [issue] = parsed.error.issues;
  // Only what a schema of this project says is meant for people.
  const why = issue?.code === 'custom' ? `: it ${issue.message}` : '';
  faults.push(fault(name, value, `is not ${needs}${why}`));
}

function wrongCurrency(value: unknown, currency: string): string | undefined {
  const money = value as Product['tradePrice'];
  return money === null || money.currency === currency ? undefined : `is not in ${currency}, the currency of the shop`;
}
