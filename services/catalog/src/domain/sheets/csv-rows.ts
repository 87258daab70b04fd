import { catalogHttp } from '@storefront/contracts';
import { unguarded } from '@storefront/csv';
import { CsvError, parse } from 'csv-parse/sync';
import { FileRefused } from './file-refused.ts';
import { fault, missing, type FileRow, type RowFault } from './file-row.ts';

export const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

/** A CSV file whose columns are known. */
export interface CsvFile {
  readonly delimiter: Delimiter;
  /** The names of its columns, in their order. At the end there may be columns without a name, which are empty. */
  readonly columns: readonly string[];
  readonly lines: readonly string[];
  /** The index of the line with the names of the columns. */
  readonly header: number;
}

/** The cells of a row; or the error in its quotes. `isOpen`: the row ends inside a quoted cell. */
type Read = { readonly cells: readonly string[] } | { readonly wrong: RowFault; readonly isOpen: boolean };

const wrongQuotes: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
  INVALID_OPENING_QUOTE: 'a quote stands in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'text follows the quote that closes the cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows the quote that closes the cell',
};
const howToQuote = 'a cell that holds a quote is put in quotes, and the quote is doubled';
const longestRow = 200_000;

const columnNames = [...catalogHttp.productColumns.map(({ name }) => name), catalogHttp.reasonColumn];
const byLowerCase = new Map(columnNames.map((name) => [name.toLowerCase(), name]));
const delimiterNames: Record<Delimiter, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' };

/**
 * Finds the delimiter and the columns in the first line that is not blank. Names count the same in upper and lower case.
 * A line `sep=;` before it, as Excel writes it, is skipped. Throws FileRefused if the columns are wrong.
 */
export function openCsv(text: string): CsvFile {
  const lines = text.split(/\r\n|\n|\r/);
  let header = lines.findIndex((line) => line.trim() !== '');
  if (/^sep=.$/i.test(lines[header] ?? '')) header += 1;
  const line = lines[header] ?? '';
  const attempts = delimiters.map((delimiter) => ({ delimiter, columns: readColumns(line, delimiter) }));
  const found = attempts.find(({ columns }) => 'names' in columns);
  if (found && 'names' in found.columns)
    return { delimiter: found.delimiter, columns: found.columns.names, lines, header };
  // The faults are those of the delimiter that divides the line into most cells.
  const [most = attempts[0]] = attempts.toSorted(
    (one, other) => cellsOf(line, other.delimiter) - cellsOf(line, one.delimiter),
  );
  const faults = most && 'faults' in most.columns ? most.columns.faults : [];
  throw new FileRefused(
    `Line ${header + 1} must name the columns, separated by ${delimiterNames[most?.delimiter ?? ',']}, of ${columnNames.slice(0, -1).join(', ')}: ${faults.join('; ')}.`,
  );
}

/**
 * Reads the rows below the header. A quoted cell may contain line breaks, so one wrong quote could put many rows into one
 * cell. If lines inside a cell look like rows, only the first line is refused, and reading continues with the next line.
 */
export function* readRows(file: CsvFile): Generator<FileRow> {
  const { lines, header, columns } = file;
  for (let at = header + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isBlank(line, file.delimiter)) continue;
    const { end, read } = readRow(file, at);
    const named = namedIn(file, read, line);
    if (isApart(file, lines.slice(at, end + 1), read)) {
      const faults = [missing(null, `${wrongQuotes['CSV_QUOTE_NOT_CLOSED']} (${howToQuote})`)];
      yield { place: `line ${at + 1}`, end: at + 1, ...named, cells: line.split(file.delimiter), faults };
      continue;
    }
    const place = end === at ? `line ${at + 1}` : `lines ${at + 1} to ${end + 1}`;
    const whole = lines.slice(at, end + 1).join('\n');
    at = end;
    const cells = 'cells' in read ? read.cells.map(unguarded) : whole.split(file.delimiter);
    const faults = whole.length > longestRow ? [missing(null, 'is longer than a row may be')] : faultsOf(read, columns);
    if (faults.length > 0)
      yield { place, end: end + 1, ...named, cells: cells.map((cell) => cell.slice(0, longestRow)), faults };
    else {
      const values = Object.fromEntries(columns.flatMap((name, index) => (name === '' ? [] : [[name, cells[index]]])));
      yield { place, end: end + 1, ...named, cells, values };
    }
  }
}

function readColumns(
  line: string,
  delimiter: Delimiter,
): { readonly names: readonly string[] } | { readonly faults: readonly string[] } {
  const read = readCells(line, delimiter, []);
  if ('wrong' in read) return { faults: [read.wrong.message] };
  const names = read.cells.map((cell) => byLowerCase.get(cell.toLowerCase()) ?? cell);
  const unknown = names.filter((name) => name !== '' && !columnNames.includes(name));
  const doubled = new Set(names.filter((name, index) => name !== '' && names.indexOf(name) !== index));
  // Spreadsheets write empty columns at the end of every line.
  const named = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  const faults = [
    ...(named.includes('') ? [`column ${named.indexOf('') + 1} has no name`] : []),
    ...unknown.map((name) => `there is no column ${name.slice(0, 100)}`),
    ...Array.from(doubled, (name) => `the column ${name} is named twice`),
    ...(names.includes('sku') ? [] : ['the column sku is missing']),
  ];
  return faults.length > 0 ? { faults } : { names };
}

function isBlank(line: string, delimiter: Delimiter): boolean {
  return line.replaceAll(delimiter, '').trim() === '';
}

function cellsOf(line: string, delimiter: Delimiter): number {
  return line.split(delimiter).length;
}

/** Reads the row that begins at this line. `end` is the index of the row's last line. */
function readRow({ lines, delimiter, columns }: CsvFile, begin: number): { readonly end: number; readonly read: Read } {
  const first = readCells(lines[begin] ?? '', delimiter, columns);
  if ('cells' in first || !first.isOpen) return { end: begin, read: first };
  // A cell has an even number of quotes, since a quote inside a cell is doubled. So the next line with an odd number of
  // quotes closes the cell.
  let end = begin + 1;
  while (end < lines.length && (lines[end] ?? '').split('"').length % 2 === 1) end += 1;
  if (end === lines.length) return { end: lines.length - 1, read: first };
  return { end, read: readCells(lines.slice(begin, end + 1).join('\n'), delimiter, columns) };
}

function readCells(row: string, delimiter: Delimiter, columns: readonly string[]): Read {
  if (!row.includes('"')) return { cells: row.split(delimiter).map((cell) => cell.trim()) };
  try {
    const [cells = []] = parse(row, { delimiter, trim: true, relax_column_count: true, record_delimiter: '\n' });
    return { cells };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      wrong: missing(
        columns[Number(error['column'])] ?? null,
        `${wrongQuotes[error.code] ?? error.message} (${howToQuote})`,
      ),
      isOpen: error.code === 'CSV_QUOTE_NOT_CLOSED',
    };
  }
}

/** Whether the lines are several rows that a wrong quote has put into one cell. */
function isApart({ delimiter, columns }: CsvFile, lines: readonly string[], read: Read): boolean {
  if (lines.length === 1) return false;
  const isWhole = (line: string) => {
    const alone = readCells(line, delimiter, columns);
    return cellsOf(line, delimiter) === columns.length || ('cells' in alone && alone.cells.length === columns.length);
  };
  const isSound =
    'cells' in read &&
    read.cells.length === columns.length &&
    columns.every((column, index) => column === 'description' || !read.cells[index]?.includes('\n'));
  // One line of a description may look like a row by chance, but all lines hardly ever do.
  const inside = lines.slice(1, -1);
  return isSound ? inside.length > 0 && inside.every(isWhole) : lines.slice(1).some(isWhole);
}

function faultsOf(read: Read, columns: readonly string[]): RowFault[] {
  if ('wrong' in read) return [read.wrong];
  const { length } = read.cells;
  if (length === columns.length) {
    const beside = read.cells.findIndex((cell, index) => cell !== '' && columns[index] === '');
    return beside === -1 ? [] : [fault(null, read.cells[beside], `stands in column ${beside + 1}, which has no name`)];
  }
  const what = `has ${length} cells, but the file has ${columns.length} columns`;
  return [
    missing(
      null,
      length > columns.length
        ? `${what}: ${JSON.stringify(read.cells[columns.length]?.slice(0, 50))} is one too many`
        : `${what}: ${columns.slice(length).join(', ')} missing`,
    ),
  ];
}

/** Which product or variant a row is of, as far as that can be read: only before the first quote where quotes are wrong. */
function namedIn({ delimiter, columns }: CsvFile, read: Read, line: string): Pick<FileRow, 'sku' | 'variantOf'> {
  const cells = 'cells' in read ? read.cells : (line.split('"')[0] ?? '').split(delimiter).slice(0, -1);
  const named = (column: string) => cells[columns.indexOf(column)]?.trim().slice(0, 100) || null;
  return { sku: named('sku'), variantOf: named('variantOf') };
}
