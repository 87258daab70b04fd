import { createHash } from 'node:crypto';
import { eventRecordDays } from '@storefront/contracts';
import { batchReads } from './batch-reads.ts';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { byId } from './sharding.ts';
import { date } from './fields.ts';
import type { Transaction } from './transaction.ts';

/**
 * The users who were erased, and the registrations of their emails, so that a late event brings none of their data back.
 * Only hashes are kept: ids are random, so no id can be found out from its hash.
 */
export interface ErasedUsers {
  /** In a transaction it reads the transaction's snapshot. */
  has(id: string, transaction?: Pick<Transaction, 'session'>): Promise<boolean>;
  /** Those of the ids that were erased, in one read; in a transaction, of its snapshot. */
  among(ids: readonly string[], transaction?: Pick<Transaction, 'session'>): Promise<ReadonlySet<string>>;
  /** Adds users, and registrations. */
  add(ids: readonly string[]): Promise<void>;
}

export const erasedUsers = defineCollection(
  'erased_users',
  { keptUntil: date() },
  { sharding: byId, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

/** The hash under which the id of an erased user is kept. */
export function erasedKeyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** When the user of this entry was erased. */
export function erasedAt({ keptUntil }: { readonly keptUntil: Date }): Date {
  return new Date(keptUntil.getTime() - keptMs);
}

/** Opens the service's own list, in its own database. */
export async function openErasedUsers({
  database,
  now,
}: {
  readonly database: Database;
  readonly now: () => Date;
}): Promise<ErasedUsers> {
  await openCollections(database, [erasedUsers]);
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
