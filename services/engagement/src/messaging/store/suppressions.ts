import { batchReads, collectionOf, byId, defineCollection, type RepositoryNeeds } from '@storefront/mongo';
import { z } from 'zod';

/** Addresses that do not exist, according to a mail server. The id is the address. */
export const suppressions = defineCollection(
  'suppressions',
  { answer: z.string(), since: z.date(), keptUntil: z.date() },
  { sharding: byId, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

export interface Suppressions {
  has(email: string): Promise<boolean>;
  /** Adds the address for 30 days. `answer` is the mail server's answer. */
  add(email: string, answer: string): Promise<void>;
  remove(email: string): Promise<void>;
}

// An address may exist again one day, so it is removed after 30 days. But a sender who keeps writing to addresses that
// do not exist is treated as a spammer.
const keptMs = 30 * 24 * 60 * 60 * 1000;

export function openSuppressions({ database, now }: Pick<RepositoryNeeds, 'database' | 'now'>): Suppressions {
  const collection = collectionOf(database, suppressions);
  const find = batchReads(collection, { keptUntil: 1 });
  return {
    async has(email) {
      const found = await find(email);
      return found !== null && found.keptUntil > now();
    },
    async add(email, answer) {
      const since = now();
      await collection.updateOne(
        { _id: email },
        { $set: { answer, since, keptUntil: new Date(since.getTime() + keptMs) } },
        { upsert: true },
      );
    },
    async remove(email) {
      await collection.deleteOne({ _id: email });
    },
  };
}
