import mongoose from 'mongoose';
import { batch } from './batch.ts';
import type { Collection, Filter } from './collections.ts';
import { isDatabaseAway, reasonOf } from './errors.ts';
import type { Stored } from './stored.ts';

// Each write waits for the journal of a majority. Writes that are under way at the same time share this wait.
const concurrency = 4;

export type Write =
  | { readonly insert: Stored }
  | {
      readonly filter: Filter<Stored> & { readonly _id: string };
      readonly update: mongoose.mongo.UpdateFilter<Stored>;
    };

/**
 * Writes documents. Writes that are requested at the same time become one command. Returns false where nothing was
 * written: the filter of an update matched nothing, or the id of an insert already existed. The writes are independent
 * of each other and have no order.
 */
export function batchWrites(collection: Collection<Stored>): (write: Write) => Promise<boolean> {
  return batch<Write, boolean>({
    concurrency,
    async work(writes) {
      const refused = writes.length > 1 ? await writeTogether(writes) : new Set([0]);
      // Each refused write is sent again alone, so that its own error is known.
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
        // Nothing was sent, because one of the writes is invalid. Each write is tried alone, which shows its error.
        return new Set(writes.keys());
      }
      const refused = [error.writeErrors].flat().map(({ index }) => index);
      // If the error names no writes, or has a write concern error, the results of all writes are unknown: the database
      // is unreachable.
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
 * Turns a write into an operation of a batch. MongoDB returns how many updates of a batch matched, but not which. Only
 * for failed writes it returns the index. So an update that matches nothing must fail: it becomes an upsert that tries
 * to insert an `_id` different from the one in its filter, which MongoDB refuses.
 */
function toOperation(write: Write): mongoose.mongo.AnyBulkWriteOperation<Stored> {
  if ('insert' in write) return { insertOne: { document: write.insert } };
  const neverInserted = { $setOnInsert: { _id: '' } } as mongoose.mongo.UpdateFilter<Stored>;
  return { updateOne: { filter: write.filter, update: { ...write.update, ...neverInserted }, upsert: true } };
}

// Checks only the index of the id: the caller handles errors of other unique indexes.
function isDuplicateId(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoServerError &&
    error.code === 11_000 &&
    '_id' in ((error as { keyPattern?: Record<string, unknown> }).keyPattern ?? {})
  );
}
