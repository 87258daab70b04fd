import { isUtf8 } from 'node:buffer';
import { catalogHttp } from '@storefront/contracts';
import type { AmountForm } from './amounts.ts';
import { textOfValue } from './columns.ts';
import { openCsv, readRows, type Delimiter } from './csv-rows.ts';
import { decodeFile, type Decoded } from './encoding.ts';
import { FileRefused } from './file-refused.ts';
import { missing, type FileRow } from './file-row.ts';

/** A file of products that can be read, and how it is written. */
export interface ImportFile extends Omit<Decoded, 'text'> {
  readonly format: 'csv' | 'json';
  /** Null for JSON. */
  readonly delimiter: Delimiter | null;
  readonly decimalSign: AmountForm['decimalSign'];
  /** The columns of the cells of its rows. */
  readonly columns: readonly string[];
  /** The number of its lines, or of its products and variants. */
  readonly size: number;
  /** The rows in their order. Each of them is read when it is needed. */
  readonly rows: Iterable<FileRow>;
}

/**
 * Reads a file: a list of objects if `isJson`, otherwise CSV. A row that can't be read is among the rows, with its faults.
 * Throws FileRefused if the whole file is unusable.
 */
export function readImportFile(bytes: Uint8Array, isJson: boolean): ImportFile {
  if (isJson && !isUtf8(bytes)) throw new FileRefused('The file holds bytes that are not UTF-8, which JSON must be.');
  const { text, encoding, samples } = decodeFile(bytes);
  if (text.trim() === '') throw new FileRefused('The file is empty.');
  if (isJson) {
    const rows = readJson(text);
    const columns = catalogHttp.productColumns.map(({ name }) => name);
    return { format: 'json', encoding, samples, delimiter: null, decimalSign: '.', columns, size: rows.length, rows };
  }
  const file = openCsv(text);
  const { delimiter, columns, lines } = file;
  const size = lines.length - (lines.at(-1) === '' ? 1 : 0);
  const decimalSign = delimiter === ';' ? ',' : '.';
  return { format: 'csv', encoding, samples, delimiter, decimalSign, columns, size, rows: readRows(file) };
}

const deepest = 5;

type Fields = Readonly<Record<string, unknown>>;

function readJson(text: string): FileRow[] {
  const products = parseJson(text);
  if (!Array.isArray(products)) throw new FileRefused('The file must hold a list of products.');
  const rows = products.flatMap((product: unknown, index) => rowsOf(product, `product ${index + 1}`));
  return rows.map((row, index): FileRow => ({ ...row, end: index + 1 }));
}

type JsonRow = FileRow extends infer Row ? (Row extends FileRow ? Omit<Row, 'end'> : never) : never;

/** The row of a product, and those of its variants, which may be in it as in the API. */
function rowsOf(product: unknown, place: string): JsonRow[] {
  if (!isObject(product)) return [rowOf(product, place)];
  const { variants = [], options, ...fields } = product;
  const own = withOptions(fields, 'options', options);
  if (!Array.isArray(variants)) return [rowOf({ ...own, variants }, place)];
  const sku = textOf(fields['sku']);
  return [
    rowOf(own, place),
    ...variants.map((variant: unknown, index) => rowOfVariant(variant, sku, `${place}, variant ${index + 1}`)),
  ];
}

function rowOfVariant(variant: unknown, product: string | null, place: string): JsonRow {
  if (!isObject(variant)) return { ...rowOf(variant, place), variantOf: product };
  const { values, image, ...fields } = variant;
  const row = { ...fields, ...(image !== undefined && { images: image }), variantOf: product };
  if (product !== null) return rowOf(withOptions(row, 'values', values), place);
  const faults = [missing('variantOf', 'is missing: its product has no SKU')];
  return { place, sku: textOf(fields['sku']), variantOf: null, cells: [], faults };
}

/** The fields with a list in the form of the API as the columns of options. */
function withOptions(fields: Fields, name: 'options' | 'values', list: unknown): Fields {
  if (list === undefined) return fields;
  if (!Array.isArray(list) || list.length > catalogHttp.mostOptions) return { ...fields, [name]: list };
  return { ...fields, ...Object.fromEntries(catalogHttp.optionColumns.map((column, at) => [column, list[at]])) };
}

function rowOf(row: unknown, place: string): JsonRow {
  if (!isObject(row)) {
    const faults = [missing(null, 'is not an object')];
    return { place, sku: null, variantOf: null, cells: [], faults };
  }
  const at = { place, sku: textOf(row['sku']), variantOf: textOf(row['variantOf']) };
  const faults = Object.entries(row).flatMap(([field, value]) => {
    const wrong = wrongIn(value);
    return wrong === undefined ? [] : [missing(field.toWellFormed().slice(0, 100), wrong)];
  });
  if (faults.length > 0) return { ...at, cells: [], faults };
  return { ...at, cells: cellsOf(row, at.variantOf === null ? 'product' : 'variant'), values: row };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.trim().slice(0, 100) || null : null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cellsOf(fields: Fields, row: 'product' | 'variant'): string[] {
  return catalogHttp.productColumns.map((column) => {
    const [value, use] = [fields[column.name] ?? '', column[row]];
    return use ? textOfValue(use, value) : typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** What is wrong with a value, whatever its field. No function may call itself here: JSON can be nested a million times. */
function wrongIn(value: unknown): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: part, depth } = next;
    if (typeof part === 'string' && !part.isWellFormed())
      return 'holds half of a surrogate pair, which is no character';
    if (typeof part !== 'object' || part === null) continue;
    if (depth === deepest) return 'is nested deeper than any field of a product';
    for (const inner of Object.entries(part).flat()) left.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileRefused(`The file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
