import type mongoose from 'mongoose';

const batchSize = 5000;
// While MongoDB stores one, the other is made.
const batchesAtOnce = 2;

/** Inserts `count` documents in large batches. */
export async function insert(
  collection: mongoose.mongo.Collection<{ _id: string }>,
  count: number,
  make: (at: number) => { _id: string; [field: string]: unknown },
): Promise<void> {
  let next = 0;
  async function insertBatches(): Promise<void> {
    while (next < count) {
      const from = next;
      next += batchSize;
      const documents = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => make(from + at));
      await collection.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
    }
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, insertBatches));
}
