import type { PageOf, Slice } from '@storefront/contracts';
import {
  collectionOf,
  defineCollection,
  isDuplicate,
  readPage,
  withId,
  type Database,
  type DocumentOf,
  type Filter,
  type IndexOf,
} from '@storefront/mongo';
import { storedEntry, type StoredEntry } from '../domain/entry.ts';

const keptSeconds = 396 * 24 * 60 * 60;

/**
 * The audit log. An entry is inserted once, never changed, and deleted after 13 months. Data that identifies a person
 * is encrypted with that person's key. Each index ends with the fields by which a list can be filtered further, so that
 * only documents that match are read.
 */
export const auditEntries = defineCollection('audit_entries', storedEntry.shape, {
  sharding: {
    key: { _id: 'hashed' },
    acrossShards: [
      { by: ['persons'], because: 'administrators read the log' },
      { by: ['objectId'], because: 'administrators read the log' },
      { by: ['action'], because: 'administrators read the log' },
      { by: ['outcome'], because: 'administrators read the log' },
      { by: ['at'], because: 'administrators read the log' },
      { by: [], because: 'administrators read the log' },
    ],
  },
  indexes: {
    newest: { keys: { at: -1, _id: -1 } },
    by_person: { keys: { persons: 1, at: -1, _id: -1, 'subject.ref': 1, objectId: 1, action: 1, outcome: 1 } },
    by_object: { keys: { objectId: 1, at: -1, _id: -1, action: 1, outcome: 1 } },
    by_action: { keys: { action: 1, at: -1, _id: -1, outcome: 1 } },
    by_outcome: { keys: { outcome: 1, at: -1, _id: -1 } },
    expiry: { keys: { at: 1 }, expireAfterSeconds: keptSeconds },
  },
});

/** Which entries to read. Persons are named by the `ref` of their keys. */
export interface EntryFilter {
  readonly action?: string | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  /** The actor, or the person whose account the entry concerns. */
  readonly person?: string | undefined;
  /** The person whose account the entry concerns. */
  readonly subject?: string | undefined;
  readonly objectId?: string | undefined;
  readonly from?: Date | undefined;
  /** Only entries before this time. */
  readonly to?: Date | undefined;
}

/** Append-only: entries can't be changed or deleted. */
export interface Entries {
  /** Inserts the entry unless one with this id exists. */
  add(entry: StoredEntry): Promise<void>;
  page(filter: EntryFilter, slice: Slice, direction: 'newest' | 'oldest'): Promise<PageOf<StoredEntry>>;
}

export function openEntries(database: Database): Entries {
  const collection = collectionOf(database, auditEntries);
  return {
    async add({ id, ...fields }) {
      try {
        await collection.insertOne({ _id: id, ...fields });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    },
    page: (filter, slice, direction) => {
      const way = direction === 'newest' ? -1 : 1;
      const query = {
        filter: conditionsOf(filter),
        order: { at: way, _id: way },
        hint: indexFor(filter),
        slice,
      } as const;
      return readPage(collection, query, withId);
    },
  };
}

function indexFor({ person, subject, objectId, action, outcome }: EntryFilter): IndexOf<typeof auditEntries> {
  if (person !== undefined || subject !== undefined) return 'by_person';
  if (objectId !== undefined) return 'by_object';
  if (action !== undefined) return 'by_action';
  return outcome === undefined ? 'newest' : 'by_outcome';
}

function conditionsOf({ person, subject, from, to, ...equal }: EntryFilter): Filter<DocumentOf<typeof auditEntries>> {
  const given = Object.entries(equal).filter(([, value]) => value !== undefined);
  const at = { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) };
  const persons = [...new Set([person, subject].filter((ref) => ref !== undefined))];
  return {
    ...Object.fromEntries(given),
    ...(persons.length > 1 ? { persons: { $all: persons } } : persons.length === 1 ? { persons: persons[0] } : {}),
    ...(subject === undefined ? {} : { 'subject.ref': subject }),
    ...(Object.keys(at).length > 0 ? { at } : {}),
  };
}
