import { isUtf8 } from 'node:buffer';
import { catalogHttp } from '@storefront/contracts';
import type { AmountForm } from './amounts.ts';
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
  /** The number of its lines, or of its products. */
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

function readJson(text: string): FileRow[] {
  const products = parseJson(text);
  if (!Array.isArray(products)) throw new FileRefused('The file must hold a list of products.');
  return products.map((product: unknown, index): FileRow => {
    const at = { place: `product ${index + 1}`, end: index + 1, sku: skuOf(product) };
    if (typeof product !== 'object' || product === null || Array.isArray(product))
      return { ...at, cells: [], faults: [missing(null, 'is not an object')] };
    const faults = Object.entries(product).flatMap(([field, value]) => {
      const wrong = wrongIn(value);
      return wrong === undefined ? [] : [missing(field.toWellFormed().slice(0, 100), wrong)];
    });
    if (faults.length > 0) return { ...at, cells: [], faults };
    return { ...at, cells: cellsOf(product as Fields), values: product as Fields };
  });
}

function skuOf(product: unknown): string | null {
  const named = (product as { sku?: unknown } | null)?.sku;
  return typeof named === 'string' ? named.slice(0, 100) : null;
}

type Fields = Readonly<Record<string, unknown>>;

function cellsOf(fields: Fields): string[] {
  return catalogHttp.productColumns.map(({ name }) => {
    const value = fields[name] ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
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
