import { collectionOf, isDuplicate } from '@storefront/service-kit';
import type { Parts } from '@storefront/service-kit';

/** Whom mails about what happens outside identity go to: events elsewhere name only the user. */
export interface Recipient {
  readonly email: string;
  readonly firstName: string;
}

export interface Recipients {
  find(userId: string): Promise<Recipient | null>;
  /** `sequence` is that of the event that told it: what is older than what is known changes nothing. */
  remember(userId: string, recipient: Recipient, sequence: number): Promise<void>;
  forget(userId: string): Promise<void>;
}

interface Document extends Recipient {
  _id: string;
  sequence: number;
}

export function openRecipients({ database }: Parts): Recipients {
  const collection = collectionOf<Document>(database, 'recipients');
  return {
    async find(userId) {
      return collection.findOne({ _id: userId }, { projection: { _id: 0, email: 1, firstName: 1 } });
    },
    async remember(userId, { email, firstName }, sequence) {
      try {
        await collection.updateOne(
          { _id: userId, sequence: { $lt: sequence } },
          { $set: { email, firstName, sequence } },
          { upsert: true },
        );
      } catch (error) {
        // There is one that is not older.
        if (!isDuplicate(error)) throw error;
      }
    },
    async forget(userId) {
      await collection.deleteOne({ _id: userId });
    },
  };
}
