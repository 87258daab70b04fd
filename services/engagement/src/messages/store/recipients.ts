import { collectionOf, defineCollection, integer, isDuplicate, text } from '@storefront/mongo';
import type { Resources } from '@storefront/service';

/** Where mails to a user go. Events of other services than identity name the user only. The id is the user's. */
export const recipients = defineCollection('recipients', { email: text(), firstName: text(), sequence: integer() });

interface MailRecipient {
  readonly email: string;
  readonly firstName: string;
}

export interface Recipients {
  find(userId: string): Promise<MailRecipient | null>;
  /**
   * `sequence` is the version of the user of which the event tells: one that is older than what is stored changes nothing.
   */
  save(userId: string, recipient: MailRecipient, sequence: number): Promise<void>;
  delete(userId: string): Promise<void>;
}

export function openRecipients({ database }: Resources): Recipients {
  const collection = collectionOf(database, recipients);
  return {
    async find(userId) {
      return collection.findOne<MailRecipient>({ _id: userId }, { projection: { _id: 0, email: 1, firstName: 1 } });
    },
    async save(userId, { email, firstName }, sequence) {
      try {
        await collection.updateOne(
          { _id: userId, sequence: { $lte: sequence } },
          { $set: { email, firstName, sequence } },
          { upsert: true },
        );
      } catch (error) {
        // The stored one is newer, so the filter did not find it.
        if (!isDuplicate(error)) throw error;
      }
    },
    async delete(userId) {
      await collection.deleteOne({ _id: userId });
    },
  };
}
