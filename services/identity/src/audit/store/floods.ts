import { collectionOf, date, byId, defineCollection, integer, type Database } from '@storefront/mongo';
import type { PersonCipher } from '../secrets/person-cipher.ts';

/** How many entries of a kind there were on a day, by a keyed hash of what is counted; deleted after two days. */
export const auditFloods = defineCollection(
  'audit_floods',
  { count: integer(), expiresAt: date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

export interface Floods {
  /** Counts one more of each on this day (UTC), and returns how many there are now. */
  count(keys: readonly string[], at: Date): Promise<number[]>;
}

const keptMs = 2 * 24 * 60 * 60 * 1000;

export function openFloods(database: Database, cipher: PersonCipher): Floods {
  const collection = collectionOf(database, auditFloods);
  return {
    count: (keys, at) =>
      Promise.all(
        keys.map(async (key) => {
          const counted = await collection.findOneAndUpdate(
            { _id: cipher.hash('flood', `${at.toISOString().slice(0, 10)} ${key}`) },
            { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(at.getTime() + keptMs) } },
            { upsert: true, returnDocument: 'after' },
          );
          return counted?.count ?? 1;
        }),
      ),
  };
}
