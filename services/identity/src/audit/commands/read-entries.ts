import { allPages, type PageOf, type Slice } from '@storefront/contracts';
import { toEntry, type ActorPart, type AuditEntry, type StoredEntry, type SubjectPart } from '../domain/entry.ts';
import type { Entries, EntryFilter } from '../store/entries.ts';
import type { PersonKey, PersonKeys } from '../store/person-keys.ts';
import { placeOf } from './record-entry.ts';

export interface ReadEntriesNeeds {
  readonly entries: Entries;
  readonly personKeys: PersonKeys;
}

/** Which entries to read; persons are named by their user ids. */
export interface EntryQuery extends Omit<EntryFilter, 'person' | 'subject' | 'objectId'> {
  readonly user?: string | undefined;
  /** The id of the object, which may be a user. */
  readonly object?: { readonly id: string; readonly isUser: boolean } | undefined;
}

const nothing: PageOf<never> = { items: [], next: null };

/** Reads a page of the log. The entries have all data that can still be decrypted. */
export async function readEntries(
  needs: ReadEntriesNeeds,
  query: EntryQuery,
  slice: Slice,
  direction: 'newest' | 'oldest' = 'newest',
): Promise<PageOf<AuditEntry>> {
  const filter = await filterOf(needs.personKeys, query);
  if (filter === null) return nothing;
  const { items, next } = await needs.entries.page(filter, slice, direction);
  const refs = items.flatMap(({ actor, subject }) => [actor, subject]).flatMap((part) => part?.ref ?? []);
  const keys = await needs.personKeys.byRefs(new Set(refs));
  return { items: items.map((stored) => open(stored, keys)), next };
}

const readAtOnce = 200;

/** Reads all entries that match, in parts that are read one after the other. */
export function exportEntries(
  needs: ReadEntriesNeeds,
  query: EntryQuery,
  direction: 'newest' | 'oldest',
): AsyncGenerator<readonly AuditEntry[], void> {
  return allPages((slice) => readEntries(needs, query, slice, direction), readAtOnce);
}

/** The filter of a query. Null where no entry can match, since the log has no key for one of the users. */
async function filterOf(personKeys: PersonKeys, { user, object, ...more }: EntryQuery): Promise<EntryFilter | null> {
  const refOf = async (userId: string | undefined) =>
    userId === undefined ? undefined : ((await personKeys.find(userId))?.ref ?? null);
  const [person, subject] = await Promise.all([refOf(user), refOf(object?.isUser ? object.id : undefined)]);
  if (person === null || subject === null) return null;
  return { ...more, person, subject, objectId: object && !object.isUser ? object.id : undefined };
}

function open(stored: StoredEntry, keys: ReadonlyMap<string, PersonKey>): AuditEntry {
  const part = (name: 'actor' | 'subject') => {
    const sealed = stored[name];
    return sealed && keys.get(sealed.ref)?.open(placeOf(stored.id, name), sealed.sealed);
  };
  // The type is certain, since only this service encrypts parts, each for its own entry and name.
  return toEntry({
    ...stored,
    actor: part('actor') as ActorPart | null | undefined,
    subject: part('subject') as SubjectPart | null | undefined,
  });
}
