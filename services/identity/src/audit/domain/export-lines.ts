import { createCsv, type CsvCell, type CsvDialect } from '@storefront/csv';
import type { AuditEntry } from './entry.ts';

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

/** Writes entries as CSV for spreadsheets. `head` comes before the first entry. */
export function auditCsv(dialect: CsvDialect): {
  readonly head: string;
  readonly lines: (entries: readonly AuditEntry[]) => string;
} {
  const { head, lines } = createCsv(columns, dialect);
  return { head, lines: (entries) => lines(entries.map(cellsOf)) };
}

function cellsOf(entry: AuditEntry): CsvCell[] {
  const { actor, object } = entry;
  return [
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
  ];
}
