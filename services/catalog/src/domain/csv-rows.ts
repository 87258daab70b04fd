import { CsvError, parse } from 'csv-parse/sync';
import { FileRefused, importColumns, type FileRow } from './import-row.ts';

/** The cells of a row, or what is wrong with its quotes. */
type Read = { readonly cells: readonly string[] } | { readonly wrong: string; readonly isOpen: boolean };

const wrongQuotes: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
  INVALID_OPENING_QUOTE: 'a quote stands in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'text follows the quote that closes the cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows the quote that closes the cell',
};
const howToQuote = 'a cell that holds a quote is put in quotes, and the quote is doubled';

/** The rows of a CSV file below the one that names its columns. Throws FileRefused where the columns are wrong. */
export function readCsv(text: string): Iterable<FileRow> {
  const lines = text.split(/\r\n|\n|\r/);
  const header = lines.findIndex((line) => line.trim() !== '');
  return rowsBelow(lines, header, readColumns(lines[header] ?? '', header + 1));
}

/**
 * A cell in quotes may hold line breaks, so one stray quote could take many rows into a cell. Where that is seen, because lines
 * inside the cell look like rows, the first line alone is refused, and the next line begins a row.
 */
function* rowsBelow(lines: readonly string[], header: number, columns: readonly string[]): Generator<FileRow> {
  for (let at = header + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const { end, read } = readRow(lines, at, columns);
    const sku = skuIn(read, line, columns);
    if (isApart(lines.slice(at, end + 1), read, columns)) {
      yield { place: `line ${at + 1}`, sku, reasons: [`${wrongQuotes['CSV_QUOTE_NOT_CLOSED']} (${howToQuote})`] };
      continue;
    }
    const place = end === at ? `line ${at + 1}` : `lines ${at + 1} to ${end + 1}`;
    at = end;
    const reasons = reasonsOf(read, columns);
    if ('wrong' in read || reasons.length > 0) yield { place, sku, reasons };
    else yield { place, row: Object.fromEntries(columns.map((column, index) => [column, read.cells[index]])) };
  }
}

function readColumns(line: string, number: number): string[] {
  const read = readCells(line, []);
  if ('wrong' in read) throw new FileRefused(`Line ${number} must name the columns, but ${read.wrong}.`);
  const { cells: columns } = read;
  const unknown = columns.filter((column) => column !== '' && !importColumns.includes(column));
  const doubled = new Set(columns.filter((column, index) => column !== '' && columns.indexOf(column) !== index));
  const wrong = [
    ...(columns.includes('') ? [`column ${columns.indexOf('') + 1} has no name`] : []),
    ...unknown.map((column) => `there is no column ${column.slice(0, 100)}`),
    ...Array.from(doubled, (column) => `the column ${column} is named twice`),
    ...(columns.includes('sku') ? [] : ['the column sku is missing']),
  ];
  if (wrong.length > 0)
    throw new FileRefused(
      `Line ${number} must name the columns, separated by commas, of ${importColumns.join(', ')}: ${wrong.join('; ')}.`,
    );
  return [...columns];
}

/** Reads the row that begins with a line. `end` is its last line. */
function readRow(
  lines: readonly string[],
  begin: number,
  columns: readonly string[],
): { readonly end: number; readonly read: Read } {
  const first = readCells(lines[begin] ?? '', columns);
  if ('cells' in first || !first.isOpen) return { end: begin, read: first };
  // Quotes come in pairs, those within a cell too: the next line with an odd number of them closes the cell.
  const closing = lines.findIndex((line, index) => index > begin && line.split('"').length % 2 === 0);
  if (closing === -1) return { end: lines.length - 1, read: first };
  return { end: closing, read: readCells(lines.slice(begin, closing + 1).join('\n'), columns) };
}

function readCells(row: string, columns: readonly string[]): Read {
  try {
    const [cells = []] = parse(row, { trim: true, relax_column_count: true, record_delimiter: '\n' });
    return { cells };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const column = columns[Number(error['column'])];
    const wrong = `${wrongQuotes[error.code] ?? error.message} (${howToQuote})`;
    return {
      wrong: column === undefined ? wrong : `${column}: ${wrong}`,
      isOpen: error.code === 'CSV_QUOTE_NOT_CLOSED',
    };
  }
}

/** Whether the lines are not one row: a quote took rows into a cell. */
function isApart(lines: readonly string[], read: Read, columns: readonly string[]): boolean {
  const isWhole = (line: string) => {
    const alone = readCells(line, columns);
    return line.split(',').length === columns.length || ('cells' in alone && alone.cells.length === columns.length);
  };
  const isSound =
    'cells' in read &&
    read.cells.length === columns.length &&
    columns.every((column, index) => column === 'description' || !read.cells[index]?.includes('\n'));
  // A line of a description may look like a row by chance, but hardly all of them do.
  const inside = lines.slice(1, -1);
  return isSound ? inside.length > 0 && inside.every(isWhole) : lines.slice(1).some(isWhole);
}

function reasonsOf(read: Read, columns: readonly string[]): string[] {
  if ('wrong' in read) return [read.wrong];
  const { length } = read.cells;
  if (length === columns.length) return [];
  const what = `has ${length} cells, but the file has ${columns.length} columns`;
  return length > columns.length
    ? [`${what}: ${JSON.stringify(read.cells[columns.length]?.slice(0, 50))} is one too many`]
    : [`${what}: ${columns.slice(length).join(', ')} missing`];
}

/** The SKU of a row that is refused, as far as it can be seen: null where a quote stands before its end. */
function skuIn(read: Read, line: string, columns: readonly string[]): string | null {
  const cells = 'cells' in read ? read.cells : (line.split('"')[0] ?? '').split(',').slice(0, -1);
  return cells[columns.indexOf('sku')]?.trim() || null;
}
