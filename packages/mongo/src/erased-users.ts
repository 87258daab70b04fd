import { createHash } from 'node:crypto';
import { eventRecordDays } from '@storefront/contracts';
import { batchReads } from './batch-reads.ts';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { date } from './fields.ts';
import type { Transaction } from './transaction.ts';

/**
 * The users who were erased, so that a late event brings none of their data back. Only hashes are kept: ids are random,
 * so no id can be found out from its hash.
 */
export interface ErasedUsers {
  /** In a transaction it reads that one's snapshot. */
  has(userId: string, transaction?: Pick<Transaction, 'session'>): Promise<boolean>;
  add(userId: string): Promise<void>;
}

export const erasedUsers = defineCollection(
  'erased_users',
  { keptUntil: date() },
  { indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

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
  const keyOf = (userId: string) => createHash('sha256').update(userId).digest('base64url');
  const projection = { _id: 1 } as const;
  const find = batchReads(collection, projection);
  return {
    async has(userId, transaction) {
      const _id = keyOf(userId);
      const session = transaction?.session;
      const found = session ? collection.findOne({ _id }, { projection, session }) : find(_id);
      return (await found) !== null;
    },
    async add(userId) {
      const keptUntil = new Date(now().getTime() + keptMs);
      await collection.updateOne({ _id: keyOf(userId) }, { $set: { keptUntil } }, { upsert: true });
    },
  };
}
