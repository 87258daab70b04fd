import { collectionOf, isDuplicate } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import type { Emails } from '../domain/ports.ts';

interface EmailDocument {
  _id: string;
  userId: string;
}

/**
 * Emails by themselves, keyed by the address: unique also where users are spread over shards. An email is claimed before
 * its user is written; one whose user never came is simply used again.
 */
export function createEmails(database: Database): Emails {
  const emails = collectionOf<EmailDocument>(database, 'emails');
  const ownerOf = async (email: string) => (await emails.findOne({ _id: email }))?.userId ?? null;
  return {
    ownerOf,
    async claim(email, userId) {
      try {
        await emails.insertOne({ _id: email, userId });
        return userId;
      } catch (error) {
        const owner = isDuplicate(error) ? await ownerOf(email) : null;
        if (owner === null) throw error;
        return owner;
      }
    },
    async release(email, userId) {
      await emails.deleteOne({ _id: email, userId });
    },
  };
}
