import { createHash } from 'node:crypto';
import { eventRecordDays } from '@storefront/contracts';
import { z } from 'zod';
import { batchReads } from './batch-reads.ts';
import { collectionOf } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { byId } from './sharding.ts';
import type { Transaction } from './transaction.ts';

/**
 * The erased users and the registrations of their emails. With this list a late event can't bring back data of an
 * erased user. Only hashes of ids are stored; ids are random, so nobody can guess an id from its hash.
 */
export interface ErasedUsers {
  /** Whether the user was erased. In a transaction this reads the transaction's snapshot. */
  has(id: string, transaction?: Pick<Transaction, 'session'>): Promise<boolean>;
  /** Returns which of the ids were erased, in one read; in a transaction, from its snapshot. */
  among(ids: readonly string[], transaction?: Pick<Transaction, 'session'>): Promise<ReadonlySet<string>>;
  /** Adds ids of users and registrations. */
  add(ids: readonly string[]): Promise<void>;
}

export const erasedUsers = defineCollection(
  'erased_users',
  { keptUntil: z.date() },
  { sharding: byId, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

/** Returns the hash that is stored for the id of an erased user. */
export function erasedKeyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** Returns when the user of this entry was erased. */
export function erasedAt({ keptUntil }: { readonly keptUntil: Date }): Date {
  return new Date(keptUntil.getTime() - keptMs);
}

/** The list of erased users in the service's own database. */
export function openErasedUsers({
  database,
  now,
}: {
  readonly database: Database;
  readonly now: () => Date;
}): ErasedUsers {
  const collection = collectionOf(database, erasedUsers);
  const projection = { _id: 1 } as const;
  const find = batchReads(collection, projection);
  return {
    async has(id, transaction) {
      const _id = erasedKeyOf(id);
      const session = transaction?.session;
      const found = session ? collection.findOne({ _id }, { projection, session }) : find(_id);
      return (await found) !== null;
    },
    async among(ids, transaction) {
      if (ids.length === 0) return new Set();
      const keys = new Map(ids.map((id) => [erasedKeyOf(id), id]));
      const options = { projection, ...(transaction && { session: transaction.session }) };
      const found = await collection.find({ _id: { $in: [...keys.keys()] } }, options).toArray();
      return new Set(found.map(({ _id }) => keys.get(_id) ?? ''));
    },
    async add(ids) {
      const update = { $set: { keptUntil: new Date(now().getTime() + keptMs) } };
      const writes = ids.map((id) => ({ updateOne: { filter: { _id: erasedKeyOf(id) }, update, upsert: true } }));
      if (writes.length > 0) await collection.bulkWrite(writes);
    },
  };
}
