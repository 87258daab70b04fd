import { catalogHttp } from '@storefront/contracts';
import { createCsv } from '@storefront/csv';
import type { RowOutcome } from './decide-rows.ts';
import { faultInWords, type RowFault } from './file-row.ts';
import type { ImportFile } from './import-file.ts';

/** How a file in an encoding that had to be recognised was read; null for UTF-8 and UTF-16. */
export function encodingInWords({ encoding, samples }: Pick<ImportFile, 'encoding' | 'samples'>): string | null {
  if (encoding !== 'windows-1252') return null;
  return `The file is not in UTF-8 and was read as Windows-1252: ${samples.join(', ')}. If these words are wrong, save it as UTF-8.`;
}

/** What is to be said about a row, a line for each thing: faults, warnings, and what a dry run would do. */
export function outcomeInWords(outcome: RowOutcome, dryRun: boolean): string[] {
  const { result, faults, warnings, changes } = outcome;
  const about = (fault: RowFault) => faultInWords(outcome, fault);
  const done = changes.map(({ column, from, to }) => `${column} ${said(from)} → ${said(to)}`).join(', ');
  return [
    ...faults.map(about),
    ...(dryRun && result === 'changed' ? [about({ column: null, value: null, message: `changes ${done}` })] : []),
    ...(dryRun && result === 'created' ? [about({ column: null, value: null, message: 'is new' })] : []),
    ...warnings.map((warning) => `${about(warning)} (a warning)`),
  ];
}

const said = (cell: string | null) => (cell === null ? 'nothing' : JSON.stringify(cell.slice(0, 50)));

interface Refused {
  readonly cells: readonly string[];
  readonly faults: readonly RowFault[];
}

/**
 * Writes refused rows as a file to be mended: the cells as they were, after a column with the reason, which an import does
 * not read. It has the delimiter of the file, so that numbers in it are read as before.
 */
export function createRefusedCsv({ columns, delimiter }: Pick<ImportFile, 'columns' | 'delimiter'>): {
  readonly head: string;
  readonly lines: (rows: readonly Refused[]) => string;
} {
  const own = columns.flatMap((name, index) => (name === catalogHttp.reasonColumn ? [] : [index]));
  const { head, lines } = createCsv(
    [catalogHttp.reasonColumn, ...own.map((index) => columns[index] ?? '')],
    'standard',
    delimiter ?? ',',
  );
  // A row that could not be read may have more cells than there are columns.
  const cellsOf = (cells: readonly string[]) => [
    ...own.map((index) => cells[index] ?? ''),
    ...cells.slice(columns.length),
  ];
  return {
    head,
    lines: (rows) => lines(rows.map(({ cells, faults }) => [reasonOf(faults), ...cellsOf(cells)])),
  };
}

function reasonOf(faults: readonly RowFault[]): string {
  return faults.map(({ column, message }) => (column === null ? message : `${column}: ${message}`)).join('; ');
}

const barWidth = 30;

/** A bar that shows how much is done, on one line of a terminal. Does nothing where `write` is null. */
export function progressBar(write: ((text: string) => void) | null): {
  show(done: number, size: number): void;
  clear(): void;
} {
  return {
    show(done, size) {
      const share = size === 0 ? 1 : Math.min(1, done / size);
      const full = Math.round(share * barWidth);
      write?.(`\r[${'#'.repeat(full)}${' '.repeat(barWidth - full)}] ${Math.floor(share * 100)} %`);
    },
    clear: () => write?.('\r\u{1b}[K'),
  };
}
