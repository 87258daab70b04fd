import { collectionOf, byId, defineCollection, isDuplicate, type Database, type Transaction } from '@storefront/mongo';
import { z } from 'zod';

/** The email is the `_id`, so that it is unique even where users are sharded. */
export const emails = defineCollection(
  'emails',
  {
    userId: z.string(),
    /**
     * Set only for a former email of the user. Nobody can log in with it, and no other user can have it until this
     * time.
     */
    reservedUntil: z.date().optional(),
  },
  { sharding: byId, indexes: { expiry: { keys: { reservedUntil: 1 }, expireAfterSeconds: 0 } } },
);

/**
 * The owners of emails. Only this collection makes an email unique. An email is claimed before its user is written. If
 * the user is then never written, the next claim returns the same user id again.
 */
export interface Emails {
  /** The id of the user who has the email. Null where nobody has it, and for a former email. */
  ownerOf(email: string): Promise<string | null>;
  /**
   * Gives the email to the user unless it has an owner. Returns the owner's id after the call, which may be another
   * user's.
   */
  claim(email: string, userId: string): Promise<string>;
  /** As `claim`, but within a transaction. */
  claimIn(transaction: Transaction, email: string, userId: string): Promise<string>;
  /**
   * Gives the user the email `to` instead of `from`. The email `from` stays reserved until `reservedUntil`, or is freed
   * where that is null. Returns false where another user has `to`.
   */
  moveIn(
    transaction: Transaction,
    userId: string,
    change: { readonly from: string; readonly to: string; readonly reservedUntil: Date | null },
  ): Promise<boolean>;
  /** Frees the email if this user has it. */
  release(email: string, userId: string): Promise<void>;
  releaseIn(transaction: Transaction, email: string, userId: string): Promise<void>;
}

export function openEmails(database: Database): Emails {
  const collection = collectionOf(database, emails);
  const ownerOf = async (email: string) => {
    const found = await collection.findOne({ _id: email });
    return found && !found.reservedUntil ? found.userId : null;
  };
  return {
    ownerOf,
    async claim(email, userId) {
      try {
        await collection.insertOne({ _id: email, userId });
        return userId;
      } catch (error) {
        const known = isDuplicate(error) ? await collection.findOne({ _id: email }) : null;
        if (known === null) throw error;
        return known.userId;
      }
    },
    async claimIn({ session }, email, userId) {
      const owner = await collection.findOne({ _id: email }, { session });
      if (owner) return owner.userId;
      await collection.insertOne({ _id: email, userId }, { session });
      return userId;
    },
    async moveIn({ session }, userId, { from, to, reservedUntil }) {
      const owner = await collection.findOne({ _id: to }, { session });
      if (owner && owner.userId !== userId) return false;
      if (owner) await collection.updateOne({ _id: to, userId }, { $unset: { reservedUntil: '' } }, { session });
      else await collection.insertOne({ _id: to, userId }, { session });
      if (reservedUntil) await collection.updateOne({ _id: from, userId }, { $set: { reservedUntil } }, { session });
      else await collection.deleteOne({ _id: from, userId }, { session });
      return true;
    },
    async release(email, userId) {
      await collection.deleteOne({ _id: email, userId });
    },
    async releaseIn({ session }, email, userId) {
      await collection.deleteOne({ _id: email, userId }, { session });
    },
  };
}
