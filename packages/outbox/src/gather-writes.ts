import mongoose from 'mongoose';
import { gather } from './gather.ts';
import { orGiveUp } from './give-up.ts';
import type { Stored } from './stored.ts';

// Writes wait for the journal of a majority; more of them under way share it.
const lanes = 4;

export type Write =
  | { readonly insert: Stored }
  | {
      readonly filter: mongoose.mongo.Filter<Stored> & { readonly _id: string };
      readonly update: mongoose.mongo.UpdateFilter<Stored>;
    };

/**
 * Writes documents, gathered. False where nothing was written: the filter of an update matched nothing, or the id of an
 * insert was taken. Each write stands for itself, in no order; what keeps one from being done keeps no other.
 */
export function gatherWrites(collection: mongoose.mongo.Collection<Stored>): (write: Write) => Promise<boolean> {
  return gather<Write, boolean>({
    lanes,
    async work(writes) {
      const refused = writes.length > 1 ? await orGiveUp(writeTogether(writes)) : new Set([0]);
      // One that was refused goes again by itself, and is told precisely why.
      return writes.map((write, index) => (refused.has(index) ? orGiveUp(writeAlone(write)) : true));
    },
  });

  /** The places of those that were not done. */
  async function writeTogether(writes: readonly Write[]): Promise<ReadonlySet<number>> {
    try {
      await collection.bulkWrite(writes.map(toOperation), { ordered: false });
      return new Set();
    } catch (error) {
      // Nothing has gone out yet: one of them is not to be written, and will be told so by itself.
      if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return new Set(writes.keys());
      const refused = [error.writeErrors].flat().map(({ index }) => index);
      // Where MongoDB names none, or what was written is not safe yet, nobody knows how it is: the database is away.
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
 * As a part of many. MongoDB counts how many updates of a batch matched and does not say which; but it names each that
 * fails. So an update that matches nothing is made to fail: as an upsert whose new document can't have the id it is given.
 */
function toOperation(write: Write): mongoose.mongo.AnyBulkWriteOperation<Stored> {
  if ('insert' in write) return { insertOne: { document: write.insert } };
  const neverInserted = { $setOnInsert: { _id: '' } } as mongoose.mongo.UpdateFilter<Stored>;
  return { updateOne: { filter: write.filter, update: { ...write.update, ...neverInserted }, upsert: true } };
}

/** What went wrong on the way, where that is what the driver has wrapped. */
function reasonOf(error: mongoose.mongo.MongoBulkWriteError): Error {
  const reason: unknown = error.errorResponse;
  return reason instanceof Error ? reason : error;
}

// Only the id's own index: another unique index refusing the write is the caller's to explain.
function isDuplicateId(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoServerError &&
    error.code === 11000 &&
    '_id' in ((error as { keyPattern?: Record<string, unknown> }).keyPattern ?? {})
  );
}
