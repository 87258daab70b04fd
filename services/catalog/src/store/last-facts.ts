import {
  byId,
  collectionOf,
  defineCollection,
  type CollectionDefinition,
  type Database,
  type Transaction,
} from '@storefront/mongo';
import type { catalogEvents } from '@storefront/contracts';
import { z } from 'zod';

interface Stored<Facts> {
  readonly _id: string;
  readonly sequence: number;
  readonly facts: Facts;
  readonly deletedAt: Date;
}

const sharding = {
  ...byId,
  acrossShards: [{ by: ['_id'], because: '`republish` reads all in the order of their ids' }],
} as const;

/**
 * The last published facts of deleted products or categories, by id. They are kept for ever, because copies in other
 * services still show them.
 */
const lastFacts = <Facts>(name: string) =>
  defineCollection(
    name,
    {
      /** The version in the event about the deletion. */
      sequence: z.int(),
      facts: z.custom<Facts>(),
      deletedAt: z.date(),
    },
    { sharding },
  );

export const deletedProducts = lastFacts<catalogEvents.ProductFacts>('deleted_products');
export const deletedCategories = lastFacts<catalogEvents.CategoryFacts>('deleted_categories');

interface Deleted<Facts> {
  readonly id: string;
  readonly sequence: number;
  /** The last published facts of the deleted product or category. */
  readonly facts: Facts;
}

export interface LastFacts<Facts> {
  add(deleted: readonly Deleted<Facts>[], transaction: Transaction): Promise<void>;
  /** The facts of up to `limit` deleted products or categories with ids after `id`, ordered by id. */
  after(id: string | undefined, limit: number): Promise<Deleted<Facts>[]>;
}

export function openLastFacts<Facts>(
  definition: CollectionDefinition<Stored<Facts>>,
  { database, now }: { database: Database; now: () => Date },
): LastFacts<Facts> {
  const collection = collectionOf(database, definition);
  return {
    async add(deleted, { session }) {
      if (deleted.length === 0) return;
      const deletedAt = now();
      const updates = deleted.map(({ id, sequence, facts }) => ({
        // The document may exist already: a creation repeated with its Idempotency-Key makes the same id again, which
        // may then be deleted again.
        updateOne: { filter: { _id: id }, update: { $set: { sequence, facts, deletedAt } }, upsert: true },
      }));
      await collection.bulkWrite(updates, { session });
    },
    async after(id, limit) {
      const found = await collection
        .find({ _id: { $gt: id ?? '' } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, sequence, facts }) => ({ id: _id, sequence, facts }));
    },
  };
}
