import mongoose from 'mongoose';
import { batch } from './batch.ts';
import type { Collection, Filter } from './collections.ts';
import { isDatabaseAway, reasonOf } from './errors.ts';
import type { Stored } from './stored.ts';

// Writes wait for the journal of a majority; those under way at the same time share it.
const concurrency = 4;

export type Write =
  | { readonly insert: Stored }
  | {
      readonly filter: Filter<Stored> & { readonly _id: string };
      readonly update: mongoose.mongo.UpdateFilter<Stored>;
    };

/**
 * Writes documents; the writes of one moment are one command. Returns false where nothing was written: the filter of an
 * update matched nothing, or the id of an insert was taken. The writes are independent of each other and have no order.
 */
export function batchWrites(collection: Collection<Stored>): (write: Write) => Promise<boolean> {
  return batch<Write, boolean>({
    concurrency,
    async work(writes) {
      const refused = writes.length > 1 ? await writeTogether(writes) : new Set([0]);
      // A refused write is sent again alone: then its own error is known.
      return writes.map((write, index) => (refused.has(index) ? writeAlone(write) : true));
    },
  });

  /** Returns the indexes of the writes that were not done. */
  async function writeTogether(writes: readonly Write[]): Promise<ReadonlySet<number>> {
    try {
      await collection.bulkWrite(writes.map(toOperation), { ordered: false });
      return new Set();
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) {
        if (isDatabaseAway(error)) throw error;
        // Nothing was sent: one of them can't be written, and its own try will say why.
        return new Set(writes.keys());
      }
      const refused = [error.writeErrors].flat().map(({ index }) => index);
      // Without named writes, or with an unmet write concern, the result of all of them is unknown: the database is
      // away.
      if (refused.length === 0 || error.result.getWriteConcernError()) throw reasonOf(error);
      return new Set(refused);
    }
  }

  async function writeAlone(write: Write): Promise<boolean> {
    if ('filter' in write) return (await collection.updateOne(write.filter, write.update)).matchedCount === 1;
    try {
      await collection.insertOne(write.insert);
      return true;
    } catch (error) {
      if (isDuplicateId(error)) return false;
      throw error;
    }
  }
}

/**
 * One write of a batch. MongoDB says how many updates of a batch matched, but not which; it names only those that fail.
 * So an update that matches nothing is made to fail: as an upsert whose new document can't have the id that its filter
 * says.
 */
function toOperation(write: Write): mongoose.mongo.AnyBulkWriteOperation<Stored> {
  if ('insert' in write) return { insertOne: { document: write.insert } };
  const neverInserted = { $setOnInsert: { _id: '' } } as mongoose.mongo.UpdateFilter<Stored>;
  return { updateOne: { filter: write.filter, update: { ...write.update, ...neverInserted }, upsert: true } };
}

// Only for the index of the id: the caller handles what another unique index refuses.
function isDuplicateId(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoServerError &&
    error.code === 11_000 &&
    '_id' in ((error as { keyPattern?: Record<string, unknown> }).keyPattern ?? {})
  );
}
