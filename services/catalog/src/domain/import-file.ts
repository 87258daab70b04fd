import { isUtf8 } from 'node:buffer';
import { readCsv } from './csv-rows.ts';
import { FileRefused, skuOf, type FileRow } from './import-row.ts';

/**
 * Reads the rows of a file in their order: a list of objects if `isJson`, otherwise CSV. A row that can't be read is
 * also returned, with the reasons. Throws FileRefused if the whole file is unusable.
 */
export function readImportFile(bytes: Uint8Array, isJson: boolean): Iterable<FileRow> {
  if (!isUtf8(bytes))
    throw new FileRefused(
      `Line ${firstWrongLine(bytes)} holds bytes that are not UTF-8. Save the file as UTF-8, with or without a byte order mark.`,
    );
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') throw new FileRefused('The file is empty.');
  return isJson ? readJson(text) : readCsv(text);
}

function firstWrongLine(bytes: Uint8Array): number {
  const [lineFeed, carriageReturn] = [10, 13];
  let line = 1;
  let begin = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte !== lineFeed && (byte !== carriageReturn || bytes[at + 1] === lineFeed)) continue;
    if (!isUtf8(bytes.subarray(begin, at))) return line;
    line += 1;
    begin = at + 1;
  }
  return line;
}

function readJson(text: string): FileRow[] {
  const rows = parseJson(text);
  if (!Array.isArray(rows)) throw new FileRefused('The file must hold a list of products.');
  return rows.map((row: unknown, index) => {
    const place = `product ${index + 1}`;
    const broken = brokenFields(row);
    return broken.length === 0 ? { place, row } : { place, sku: skuOf(row), reasons: broken.map(notACharacter) };
  });
}

const notACharacter = (field: string) => `${field}: holds half of a surrogate pair, which is no character`;

function brokenFields(row: unknown): string[] {
  if (typeof row !== 'object' || row === null) return [];
  return Object.entries(row).flatMap(([field, value]) => (isWellFormed(value) ? [] : [field]));
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'object' || value === null || Object.values(value).every(isWellFormed);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileRefused(`The file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
