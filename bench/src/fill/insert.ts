import type mongoose from 'mongoose';

const batchSize = 5000;

/** Inserts `count` documents in large batches. */
export async function insert(
  collection: mongoose.mongo.Collection<{ _id: string }>,
  count: number,
  make: (at: number) => { _id: string; [field: string]: unknown },
): Promise<void> {
  for (let from = 0; from < count; from += batchSize) {
    const documents = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => make(from + at));
    await collection.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
  }
}
