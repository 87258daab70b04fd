import { collectionOf, defineCollection, isDuplicate, text } from '@storefront/mongo';
import type { Database, Transaction } from '@storefront/mongo';

/** The email is the `_id`: it is unique also if users are sharded. */
export const emails = defineCollection('emails', { userId: text() });

/**
 * The owners of emails: the only place that makes an email unique. An email is claimed before its user is written; if the
 * user was never written, the next claim returns the same id again.
 */
export interface Emails {
  /** The id of the user who has the email. */
  ownerOf(email: string): Promise<string | null>;
  /** Gives the email to the user unless it has an owner. Returns the owner's id after the call, which may be another one. */
  claim(email: string, userId: string): Promise<string>;
  /** The same in a transaction: for an email without an owner, it takes effect with the transaction. */
  claimIn(transaction: Transaction, email: string, userId: string): Promise<string>;
  /** Frees the email if this user has it. */
  release(email: string, userId: string): Promise<void>;
}

export function openEmails(database: Database): Emails {
  const collection = collectionOf(database, emails);
  const ownerOf = async (email: string) => (await collection.findOne({ _id: email }))?.userId ?? null;
  return {
    ownerOf,
    async claim(email, userId) {
      try {
        await collection.insertOne({ _id: email, userId });
        return userId;
      } catch (error) {
        const owner = isDuplicate(error) ? await ownerOf(email) : null;
        if (owner === null) throw error;
        return owner;
      }
    },
    async claimIn({ session }, email, userId) {
      const owner = await collection.findOne({ _id: email }, { session });
      if (owner) return owner.userId;
      await collection.insertOne({ _id: email, userId }, { session });
      return userId;
    },
    async release(email, userId) {
      await collection.deleteOne({ _id: email, userId });
    },
  };
}
