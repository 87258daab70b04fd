import { batchReads, byId, collectionOf, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';

/** The keys of older stock changes, which the products no longer hold. */
export const stockMoves = defineCollection(
  'stock_moves',
  { expiresAt: z.date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** The keys of stock changes, besides those that the product itself still holds. */
export interface StockMoves {
  has(key: string): Promise<boolean>;
  /**
   * Stores the keys for 25 h by the database's clock. This is longer than the 24 h for which an `Idempotency-Key` is
   * valid.
   */
  keep(keys: readonly string[]): Promise<void>;
}

const keptMs = 25 * 60 * 60 * 1000;

export function openStockMoves(database: Database): StockMoves {
  const collection = collectionOf(database, stockMoves);
  const find = batchReads(collection, { _id: 1 });
  return {
    has: async (key) => (await find(key)) !== null,
    async keep(keys) {
      if (keys.length === 0) return;
      const update = [{ $set: { expiresAt: { $add: ['$$NOW', keptMs] } } }];
      await collection.bulkWrite(
        keys.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } })),
        { ordered: false },
      );
    },
  };
}
