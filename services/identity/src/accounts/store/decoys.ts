import { randomInt } from 'node:crypto';
import { collectionOf, byId, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';

// Enough documents that simultaneous requests rarely write the same one, as with the documents of users.
const decoyCount = 256;

export const decoys = defineCollection('decoys', { _id: z.int(), written: z.date() }, { sharding: byId });

/** Writes that change no user, but take as long as the write of a user. */
export interface Decoys {
  write(): Promise<void>;
}

export function openDecoys({ database, now }: { database: Database; now: () => Date }): Decoys {
  const collection = collectionOf(database, decoys);
  return {
    async write() {
      await collection.updateOne({ _id: randomInt(decoyCount) }, { $set: { written: now() } }, { upsert: true });
    },
  };
}
