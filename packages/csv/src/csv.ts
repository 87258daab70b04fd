import { toDecimal, type Money } from '@storefront/money';
import { stringify } from 'csv-stringify/sync';
import { guarded } from './formulas.ts';

/** `excel-de`: as Excel writes and opens it where the decimal sign is a comma, with semicolons between the cells. */
export type CsvDialect = 'standard' | 'excel-de';

/** A text, a number, an amount in minor units, or null for an empty cell. */
export type CsvCell = string | number | Money | null;

/** The parts of a CSV file. The file is `head` and then the lines. */
export interface Csv {
  /** The byte order mark, by which Excel knows UTF-8, and the line with the names of the columns. */
  readonly head: string;
  /** The lines of these rows; each row has a cell for each column. */
  readonly lines: (rows: readonly (readonly CsvCell[])[]) => string;
}

export const csvMediaType = 'text/csv; charset=utf-8; header=present';

const delimiters: Record<CsvDialect, string> = { standard: ',', 'excel-de': ';' };
export const decimalSigns: Record<CsvDialect, '.' | ','> = { standard: '.', 'excel-de': ',' };

/**
 * Writes CSV for people and their spreadsheets (RFC 4180, UTF-8). Amounts are in major units; their currency is a column of
 * its own. A text that a spreadsheet would run as a formula gets an apostrophe in front. `delimiter` is the dialect's by
 * default.
 */
export function createCsv(
  columns: readonly string[],
  dialect: CsvDialect = 'standard',
  delimiter: string = delimiters[dialect],
): Csv {
  const sign = decimalSigns[dialect];
  const decimal = (text: string) => text.replace('.', sign);
  const options = {
    delimiter,
    record_delimiter: '\r\n',
    // A line feed alone ends a line for many readers.
    quoted_match: /[\r\n]/,
    cast: {
      string: (text: string) => guarded(text),
      number: (number: number) => decimal(String(number)),
      object: (money: object) => decimal(toDecimal(money as Money)),
    },
  };
  return {
    head: `\u{feff}${stringify([[...columns]], options)}`,
    lines: (rows) => stringify(rows as unknown[][], options),
  };
}
