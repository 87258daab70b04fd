import { CsvError, parse } from 'csv-parse/sync';
import { FileRefused, importColumns, type FileRow } from './import-row.ts';

/** The cells of a row; or the error in its quotes. `isOpen`: the row ends inside a quoted cell. */
type Read = { readonly cells: readonly string[] } | { readonly wrong: string; readonly isOpen: boolean };

const wrongQuotes: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
  INVALID_OPENING_QUOTE: 'a quote stands in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'text follows the quote that closes the cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows the quote that closes the cell',
};
const howToQuote = 'a cell that holds a quote is put in quotes, and the quote is doubled';

/** Reads the rows of a CSV file below its header line. Throws FileRefused if the columns are wrong. */
export function readCsv(text: string): Iterable<FileRow> {
  const lines = text.split(/\r\n|\n|\r/);
  const header = lines.findIndex((line) => line.trim() !== '');
  return rowsBelow(lines, header, readColumns(lines[header] ?? '', header + 1));
}

/**
 * A quoted cell may contain line breaks, so one wrong quote could put many rows into one cell. If lines inside a cell
 * look like rows, only the first line is refused, and reading continues with the next line.
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

/** Reads the row that begins at this line. `end` is the index of the row's last line. */
function readRow(
  lines: readonly string[],
  begin: number,
  columns: readonly string[],
): { readonly end: number; readonly read: Read } {
  const first = readCells(lines[begin] ?? '', columns);
  if ('cells' in first || !first.isOpen) return { end: begin, read: first };
  // A cell has an even number of quotes, since a quote inside a cell is doubled. So the next line with an odd number of
  // quotes closes the cell.
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

/** Whether the lines are several rows that a wrong quote has put into one cell. */
function isApart(lines: readonly string[], read: Read, columns: readonly string[]): boolean {
  const isWhole = (line: string) => {
    const alone = readCells(line, columns);
    return line.split(',').length === columns.length || ('cells' in alone && alone.cells.length === columns.length);
  };
  const isSound =
    'cells' in read &&
    read.cells.length === columns.length &&
    columns.every((column, index) => column === 'description' || !read.cells[index]?.includes('\n'));
  // One line of a description may look like a row by chance, but all lines hardly ever do.
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

/** The SKU of a refused row, as far as it can be read; null if there is a quote before the end of the SKU. */
function skuIn(read: Read, line: string, columns: readonly string[]): string | null {
  const cells = 'cells' in read ? read.cells : (line.split('"')[0] ?? '').split(',').slice(0, -1);
  return cells[columns.indexOf('sku')]?.trim() || null;
}
