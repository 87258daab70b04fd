import { createHmac } from 'node:crypto';
import { collectionOf, byId, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';
import { codeRules } from '../../domain/code.ts';

export const codeCounts = defineCollection(
  'code_counts',
  { sent: z.int(), expiresAt: z.date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** Counts the codes of six digits that each email got since one of them was entered. */
export interface CodeCounts {
  /**
   * Counts one more code. Returns whether the code may have six digits: an email gets at most 20 such codes in a row.
   */
  take(email: string): Promise<boolean>;
  /** Resets the count, after a code was right. */
  forget(email: string): Promise<void>;
}

// The count is reset after 400 days without a code.
const keptMs = 400 * 24 * 60 * 60 * 1000;

/** Emails are stored as hashes keyed by `secret`. */
export function openCodeCounts({ database, now }: { database: Database; now: () => Date }, secret: string): CodeCounts {
  const collection = collectionOf(database, codeCounts);
  const idOf = (email: string) => createHmac('sha256', secret).update(`codes\0${email}`).digest('base64url');
  return {
    async take(email) {
      const counted = await collection.findOneAndUpdate(
        { _id: idOf(email) },
        { $inc: { sent: 1 }, $set: { expiresAt: new Date(now().getTime() + keptMs) } },
        { upsert: true, returnDocument: 'after' },
      );
      return (counted?.sent ?? 1) <= codeRules.digitCodesInARow;
    },
    async forget(email) {
      await collection.deleteOne({ _id: idOf(email) });
    },
  };
}
