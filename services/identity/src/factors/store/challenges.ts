import { collectionOf, byId, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';

const purposes = ['register', 'log-in', 'mfa', 'reauthenticate'] as const;

export const challenges = defineCollection(
  'challenges',
  { purpose: z.enum(purposes), boundTo: z.string(), expiresAt: z.date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** What a challenge is for, and the session or waiting login that it belongs to. */
export interface ChallengeUse {
  readonly purpose: (typeof purposes)[number];
  readonly boundTo: string;
}

/** Challenges of passkeys. Each is valid once, within 5 minutes, and only for its own use. */
export interface Challenges {
  add(challenge: string, use: ChallengeUse, now: Date): Promise<void>;
  /**
   * Deletes the challenge if it is valid for this use. Of several calls with the same challenge, only one returns true.
   */
  use(challenge: string, use: ChallengeUse, now: Date): Promise<boolean>;
}

const lifetimeMs = 5 * 60 * 1000;

export function openChallenges(database: Database): Challenges {
  const collection = collectionOf(database, challenges);
  return {
    async add(challenge, { purpose, boundTo }, now) {
      const expiresAt = new Date(now.getTime() + lifetimeMs);
      await collection.insertOne({ _id: challenge, purpose, boundTo, expiresAt });
    },
    async use(challenge, { purpose, boundTo }, now) {
      const { deletedCount } = await collection.deleteOne({
        _id: challenge,
        purpose,
        boundTo,
        expiresAt: { $gt: now },
      });
      return deletedCount === 1;
    },
  };
}
