import { collectionOf } from '@storefront/service-kit';
import type { Parts, Position } from '@storefront/service-kit';
import { createAggregates, gather, orGiveUp } from '@storefront/outbox';
import type { Aggregates, Loaded, Stored } from '@storefront/outbox';
import type mongoose from 'mongoose';
import { lastTemplate } from '../domain/delivery.ts';
import type { Delivery } from '../domain/delivery.ts';
import { newestFirst, olderThan } from './newest-first.ts';

type Document = Omit<Delivery, 'id'> & Pick<Stored, '_id' | 'version' | 'outbox' | 'deletedAt'>;

export interface DeliveryFilter {
  readonly status?: Delivery['status'] | undefined;
  readonly channel?: Delivery['channel'] | undefined;
  readonly userId?: string | undefined;
}

export interface Deliveries extends Aggregates<Delivery> {
  /** Those to be tried by now, longest due first. */
  due(now: Date, limit: number): Promise<Loaded<Delivery>[]>;
  /** Whether the same user was sent something newer for the same purpose. */
  isOutdated(delivery: Delivery): Promise<boolean>;
  /** Newest first. */
  list(filter: DeliveryFilter, after: Position | undefined, limit: number): Promise<Delivery[]>;
  /** All to that user or address, newest first, without what they say; at most 10,000. */
  ofPerson(userId: string, email: string): Promise<Delivery[]>;
  eraseUser(userId: string): Promise<void>;
  /** But not the mail about the erasure itself. */
  eraseEmail(email: string): Promise<void>;
}

const mostExported = 10_000;
const withoutWords = { outbox: 0, mail: 0, code: 0 } as const;

export async function openDeliveries({ database, relay, now }: Parts): Promise<Deliveries> {
  const collection = collectionOf<Document>(database, 'deliveries');
  await collection.createIndexes([
    { key: { dueAt: 1 }, partialFilterExpression: { status: 'pending' } },
    { key: { userId: 1, purpose: 1, sequence: 1 }, partialFilterExpression: { purpose: { $gt: '' } } },
    { key: newestFirst },
    { key: { status: 1, ...newestFirst } },
    { key: { userId: 1, ...newestFirst } },
    { key: { email: 1, ...newestFirst }, partialFilterExpression: { email: { $gt: '' } } },
    { key: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ]);
  const newest = gatherNewest(collection);
  return {
    ...createAggregates<Delivery>({ collection, relay, now }),

    async due(now, limit) {
      const found = await orGiveUp(
        collection
          .find({ status: 'pending', dueAt: { $lte: now } }, { projection: { outbox: 0 } })
          .sort({ dueAt: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id, version, ...fields }) => ({ state: { ...fields, id: _id }, version }));
    },

    async isOutdated(delivery) {
      return delivery.purpose !== null && (await newest(delivery)) > delivery.sequence;
    },

    async list(filter, after, limit) {
      const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
      const found = await collection
        .find({ ...given, ...olderThan(after) }, { projection: withoutWords })
        .sort(newestFirst)
        .limit(limit)
        .toArray();
      return found.map(toDelivery);
    },

    async ofPerson(userId, email) {
      const found = await collection
        .find({ $or: [{ userId }, { email }] }, { projection: withoutWords })
        .sort(newestFirst)
        .limit(mostExported)
        .toArray();
      return found.map(toDelivery);
    },

    eraseUser: (userId) => erase({ userId }),
    eraseEmail: (email) => erase({ email, template: { $ne: lastTemplate } }),
  };

  /** What still has an event to tell is an empty tombstone until the relay has told it. */
  async function erase(filter: mongoose.mongo.Filter<Document>): Promise<void> {
    const nobody = { userId: null, email: null, mail: null, code: null, attempts: [] };
    await collection.updateMany(filter, { $set: { ...nobody, deletedAt: now() }, $inc: { version: 1 } });
    await collection.deleteMany({ deletedAt: { $exists: true }, outbox: { $size: 0 } });
  }
}

/** The highest sequence of what was sent to the same user for the same purpose; those who ask together ask once. */
function gatherNewest(collection: mongoose.mongo.Collection<Document>): (delivery: Delivery) => Promise<number> {
  return gather<Delivery, number>({
    lanes: 2,
    async work(all) {
      const among = {
        userId: { $in: all.map(({ userId }) => userId) },
        purpose: { $in: [...new Set(all.map(({ purpose }) => purpose))] },
        sequence: { $gt: Math.min(...all.map(({ sequence }) => sequence)) },
      };
      const projection = { userId: 1, purpose: 1, sequence: 1 };
      const found = await orGiveUp(collection.find(among, { projection }).toArray());
      return all.map(({ userId, purpose, sequence }) => {
        const rivals = found.filter((other) => other.userId === userId && other.purpose === purpose);
        return Math.max(sequence, ...rivals.map((rival) => rival.sequence));
      });
    },
  });
}

function toDelivery({ _id, ...fields }: Document): Delivery {
  return { ...fields, mail: null, code: null, id: _id };
}
