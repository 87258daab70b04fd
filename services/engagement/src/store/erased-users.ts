import { createHash } from 'node:crypto';
import { collectionOf } from '@storefront/service-kit';
import type { Parts } from '@storefront/service-kit';

/**
 * Who was erased, so that an event that was on its way meanwhile brings nothing of them back. By hashes: an id that was
 * made at random can't be found out from one.
 */
export interface ErasedUsers {
  has(userId: string): Promise<boolean>;
  add(userId: string): Promise<void>;
}

// Longer than an event can be on its way, in a dead-letter queue too.
const keptMs = 90 * 24 * 60 * 60 * 1000;

export async function openErasedUsers({ database, now }: Parts): Promise<ErasedUsers> {
  const collection = collectionOf<{ _id: string; keptUntil: Date }>(database, 'erased_users');
  await collection.createIndex({ keptUntil: 1 }, { expireAfterSeconds: 0 });
  const keyOf = (userId: string) => createHash('sha256').update(userId).digest('base64url');
  return {
    async has(userId) {
      return (await collection.findOne({ _id: keyOf(userId) }, { projection: { _id: 1 } })) !== null;
    },
    async add(userId) {
      const keptUntil = new Date(now().getTime() + keptMs);
      await collection.updateOne({ _id: keyOf(userId) }, { $set: { keptUntil } }, { upsert: true });
    },
  };
}
