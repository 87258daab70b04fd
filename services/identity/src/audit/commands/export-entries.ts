import type { Position } from '@storefront/contracts';
import type { AuditEntry } from '../domain/entry.ts';
import { readEntries } from './read-entries.ts';
import type { EntryQuery, ReadEntriesNeeds } from './read-entries.ts';

const readAtOnce = 200;

/** All entries that match, the oldest first, in parts that are read as they are asked for. */
export async function* exportEntries(
  needs: ReadEntriesNeeds,
  query: EntryQuery,
): AsyncGenerator<readonly AuditEntry[], void> {
  let after: Position | undefined;
  for (;;) {
    const { items, next } = await readEntries(needs, query, { limit: readAtOnce, after }, 'oldest');
    yield items;
    if (next === null) return;
    after = next;
  }
}
