import { allPages } from '@storefront/contracts';
import type { AuditEntry } from '../domain/entry.ts';
import { readEntries, type EntryQuery, type ReadEntriesNeeds } from './read-entries.ts';

const readAtOnce = 200;

/** All entries that match, in parts that are read as they are asked for. */
export function exportEntries(
  needs: ReadEntriesNeeds,
  query: EntryQuery,
  direction: 'newest' | 'oldest',
): AsyncGenerator<readonly AuditEntry[], void> {
  return allPages((slice) => readEntries(needs, query, slice, direction), readAtOnce);
}
