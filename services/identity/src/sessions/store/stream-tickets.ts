import { collectionOf, defineCollection, withId, type Database } from '@storefront/mongo';
import { storedStreamTicket, type StreamTicket } from '../domain/stream-ticket.ts';

export const streamTickets = defineCollection('stream_tickets', storedStreamTicket.shape, {
  sharding: { key: { _id: 'hashed' } },
  indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } },
});

/** The tickets that nobody has used yet. Each is stored under its hash. */
export interface StreamTickets {
  add(ticket: StreamTicket): Promise<void>;
  /** Deletes the ticket and returns it; null where it has expired. Of several calls with one ticket, only one gets it. */
  take(hash: string, now: Date): Promise<StreamTicket | null>;
}

export function openStreamTickets(database: Database): StreamTickets {
  const collection = collectionOf(database, streamTickets);
  return {
    async add({ id, ...fields }) {
      await collection.insertOne({ _id: id, ...fields });
    },
    async take(hash, now) {
      const found = await collection.findOneAndDelete({ _id: hash, expiresAt: { $gt: now } });
      return found && withId(found);
    },
  };
}
