import { collectionOf, defineCollection, withId, type Database } from '@storefront/mongo';
import { storedMfaToken, type MfaToken } from '../domain/mfa-token.ts';

export const mfaTokens = defineCollection('mfa_tokens', storedMfaToken.shape, {
  sharding: {
    key: { _id: 'hashed' },
    acrossShards: [{ by: ['userId'], because: 'a login that waits for a second factor counts those of the user' }],
  },
  indexes: {
    user_oldest: { keys: { userId: 1, expiresAt: 1 } },
    expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
  },
});

/** The logins that wait for a second factor. Each is stored under the hash of its token. */
export interface MfaTokens {
  /** Adds a token. Of each user's tokens, only the 100 that expire last are kept. */
  add(token: MfaToken): Promise<void>;
  find(hash: string, now: Date): Promise<MfaToken | null>;
  /** Counts a try in one atomic write. Returns false where the token has expired or already had `maxTries` tries. */
  countTry(hash: string, maxTries: number, now: Date): Promise<boolean>;
  /** Deletes the token. Of several calls with the same token, only one returns true. */
  use(hash: string): Promise<boolean>;
  removeAll(userId: string): Promise<void>;
}

const mostOfUser = 100;

export function openMfaTokens(database: Database): MfaTokens {
  const collection = collectionOf(database, mfaTokens);
  return {
    async add({ id, ...fields }) {
      await collection.insertOne({ _id: id, ...fields });
      const ofUser = collection.find({ userId: fields.userId }, { projection: { _id: 1 } });
      const surplus = await ofUser.sort({ expiresAt: -1 }).skip(mostOfUser).toArray();
      if (surplus.length > 0) await collection.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
    },
    async find(hash, now) {
      const found = await collection.findOne({ _id: hash, expiresAt: { $gt: now } });
      return found && withId(found);
    },
    async countTry(hash, maxTries, now) {
      const filter = { _id: hash, expiresAt: { $gt: now }, tries: { $lt: maxTries } };
      return (await collection.updateOne(filter, { $inc: { tries: 1 } })).matchedCount === 1;
    },
    async use(hash) {
      return (await collection.deleteOne({ _id: hash })).deletedCount === 1;
    },
    async removeAll(userId) {
      await collection.deleteMany({ userId });
    },
  };
}
