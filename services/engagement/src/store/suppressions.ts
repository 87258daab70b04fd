import { collectionOf } from '@storefront/service-kit';
import type { Parts } from '@storefront/service-kit';
import { gatherReads } from '@storefront/outbox';

interface Document {
  /** The address. */
  _id: string;
  answer: string;
  since: Date;
  keptUntil: Date;
}

/** Addresses that a mail server said do not exist. */
export interface Suppressions {
  has(email: string): Promise<boolean>;
  add(email: string, answer: string): Promise<void>;
  remove(email: string): Promise<void>;
}

// An address may come to life again; whoever sends to a dead one for ever is taken for a spammer.
const keptMs = 30 * 24 * 60 * 60 * 1000;

export async function openSuppressions({ database, now }: Parts): Promise<Suppressions> {
  const collection = collectionOf<Document>(database, 'suppressions');
  await collection.createIndex({ keptUntil: 1 }, { expireAfterSeconds: 0 });
  const find = gatherReads(collection, { keptUntil: 1 });
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
