import { commonErrors } from '@storefront/contracts';
import { collectionOf, defineCollection, isDuplicate, type Database, type Transaction } from '@storefront/mongo';
import { z } from 'zod';

/** Every uploaded picture that has files, or may have some. */
export const pictures = defineCollection(
  'pictures',
  {
    productId: z.string(),
    /** The names of its files. */
    files: z.array(z.string()),
    /** Since when no product names it; null while one does. */
    unnamedSince: z.date().nullable(),
    /** Its files are being deleted, so no product may name it any more. */
    isRemoved: z.boolean(),
  },
  {
    sharding: { unsharded: 'transactions write them with products' },
    indexes: { unnamed: { keys: { unnamedSince: 1 } } },
  },
);

interface Picture {
  readonly id: string;
  readonly productId: string;
  readonly files: readonly string[];
}

/** Knows which pictures have files, and which of them a product names. */
export interface Pictures {
  /**
   * Call this before the files are written. A picture that no product names yet has its time again by a repeated call.
   * Throws `too_many_changes` where its files are being deleted.
   */
  begin(picture: Picture): Promise<void>;
  /** A product names these pictures now. Throws `too_many_changes` where the files of one are deleted. */
  name(ids: readonly string[], transaction: Transaction): Promise<void>;
  /** No product names these pictures any more. */
  unname(ids: readonly string[], transaction: Transaction): Promise<void>;
  /** Returns up to `limit` pictures that no product has named since `time`. From now on none can name them. */
  takeUnnamed(time: Date, limit: number): Promise<Picture[]>;
  /** Its product does name these pictures that were taken. */
  keep(ids: readonly string[]): Promise<void>;
  /** Call this after the files of these pictures are deleted. */
  forget(ids: readonly string[]): Promise<void>;
}

export function openPictures({ database, now }: { database: Database; now: () => Date }): Pictures {
  const collection = collectionOf(database, pictures);
  return {
    async begin({ id, productId, files }) {
      // An attempt before, whose answer was lost, may have let the product name it meanwhile.
      const isNamed = { $eq: [{ $type: '$unnamedSince' }, 'null'] };
      const fields = { productId, files: { $literal: [...files] }, unnamedSince: { $cond: [isNamed, null, now()] } };
      try {
        await collection.updateOne({ _id: id, isRemoved: false }, [{ $set: fields }], { upsert: true });
      } catch (error) {
        throw isDuplicate(error) ? commonErrors.tooManyChanges() : error;
      }
    },

    async name(ids, { session }) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] }, isRemoved: false };
      const { matchedCount } = await collection.updateMany(filter, { $set: { unnamedSince: null } }, { session });
      if (matchedCount < ids.length) throw commonErrors.tooManyChanges();
    },

    async unname(ids, { session }) {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { unnamedSince: now() } }, { session });
    },

    async takeUnnamed(time, limit) {
      const filter = { unnamedSince: { $lt: time } };
      const found = await collection
        .find(filter, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      if (found.length === 0) return [];
      const ids = found.map(({ _id }) => _id);
      await collection.updateMany({ _id: { $in: ids }, ...filter }, { $set: { isRemoved: true } });
      const taken = await collection.find({ _id: { $in: ids }, isRemoved: true }).toArray();
      return taken.map(({ _id, productId, files }) => ({ id: _id, productId, files }));
    },

    async keep(ids) {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { unnamedSince: null, isRemoved: false } });
    },

    async forget(ids) {
      await collection.deleteMany({ _id: { $in: [...ids] }, isRemoved: true });
    },
  };
}
