import { createHash } from 'node:crypto';
import { gatherReads } from '@storefront/outbox';
import type { Transaction } from '@storefront/outbox';
import { collectionOf } from './database.ts';
import type { Parts } from './parts.ts';

/**
 * Who was erased, so that an event that was on its way meanwhile brings nothing of them back. By hashes: an id that was
 * made at random can't be found out from one.
 */
export interface ErasedUsers {
  /** Within a transaction it answers by that one's snapshot. */
  has(userId: string, within?: Pick<Transaction, 'session'>): Promise<boolean>;
  add(userId: string): Promise<void>;
}

// Longer than an event can be on its way, in a dead-letter queue too.
const keptMs = 90 * 24 * 60 * 60 * 1000;

/** Opens the service's own list of them, in its database. */
export async function openErasedUsers({ database, now }: Pick<Parts, 'database' | 'now'>): Promise<ErasedUsers> {
  const collection = collectionOf<{ _id: string; keptUntil: Date }>(database, 'erased_users');
  await collection.createIndex({ keptUntil: 1 }, { expireAfterSeconds: 0 });
  const keyOf = (userId: string) => createHash('sha256').update(userId).digest('base64url');
  const projection = { _id: 1 } as const;
  const find = gatherReads(collection, projection);
  return {
    async has(userId, within) {
      const _id = keyOf(userId);
      const found = within ? collection.findOne({ _id }, { projection, session: within.session }) : find(_id);
      return (await found) !== null;
    },
    async add(userId) {
      const keptUntil = new Date(now().getTime() + keptMs);
      await collection.updateOne({ _id: keyOf(userId) }, { $set: { keptUntil } }, { upsert: true });
    },
  };
}
