import { batchReads, byId, collectionOf, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';

/** Stock changes by their keys, once the product holds the key no longer. */
export const stockMoves = defineCollection(
  'stock_moves',
  { expiresAt: z.date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** Which stock changes were made under a key, besides those that the product itself names. */
export interface StockMoves {
  has(key: string): Promise<boolean>;
  /** Keeps the keys for 25 h by the database's clock: an `Idempotency-Key` lives 24 h. */
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
