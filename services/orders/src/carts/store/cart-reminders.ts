import { createHmac } from 'node:crypto';
import { byId, collectionOf, defineCollection, type Database, type Transaction } from '@storefront/mongo';
import { z } from 'zod';

const dayMs = 24 * 60 * 60 * 1000;
/** A user is reminded of one cart in so many days. */
const everyDays = 7;

/** When users were reminded of a cart. The id is a keyed hash of the user's id. */
export const cartReminders = defineCollection(
  'cart_reminders',
  { remindedAt: z.date() },
  { sharding: byId, indexes: { kept: { keys: { remindedAt: 1 }, expireAfterSeconds: (everyDays * dayMs) / 1000 } } },
);

export interface CartReminders {
  /** Notes that the user is reminded now. Returns false, and notes nothing, where that was less than 7 days ago. */
  take(userId: string, transaction: Transaction): Promise<boolean>;
}

export function openCartReminders(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  secret: string,
): CartReminders {
  const collection = collectionOf(database, cartReminders);
  return {
    async take(userId, { session }) {
      const _id = createHmac('sha256', secret).update(`cart reminder\0${userId}`).digest('base64url');
      const known = await collection.findOne({ _id }, { session });
      if (known && now().getTime() - known.remindedAt.getTime() < everyDays * dayMs) return false;
      await collection.updateOne({ _id }, { $set: { remindedAt: now() } }, { upsert: true, session });
      return true;
    },
  };
}
