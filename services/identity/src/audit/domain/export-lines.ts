import type { AuditEntry } from './entry.ts';

export type ExportFormat = 'ndjson' | 'csv';

const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'reason',
  'userId',
  'role',
  'ip',
  'device',
  'addressHash',
  'objectType',
  'objectId',
  'about',
  'details',
  'erased',
] as const;

/** The line before the first entry: the names of the columns in CSV, nothing in NDJSON. */
export function exportHead(format: ExportFormat): string {
  return format === 'csv' ? lineOf([...columns]) : '';
}

/** One line of CSV (RFC 4180). */
export function csvLine(entry: AuditEntry): string {
  const { actor, object } = entry;
  return lineOf([
    entry.id,
    entry.at.toISOString(),
    entry.action,
    entry.outcome,
    entry.reason,
    actor.userId,
    actor.role,
    actor.ip,
    actor.device,
    entry.addressHash,
    object.type,
    object.id,
    entry.about,
    JSON.stringify(entry.details),
    String(entry.erased),
  ]);
}

function lineOf(cells: readonly (string | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

// A spreadsheet runs a cell that begins with such a character as a formula, and strangers can choose their
// `User-Agent`. So such a cell gets an apostrophe in front. `csv-stringify`, which writes other exports, would not do so
// where spaces come before the character.
const formula = /^[\s]*[=+\-@\t\r]/u;

function cellOf(text: string | null): string {
  if (text === null) return '""';
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
