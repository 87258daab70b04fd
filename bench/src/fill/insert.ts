import type mongoose from 'mongoose';

const batch = 5000;

/** Writes `count` documents, some thousands at once. */
export async function insert(
  collection: mongoose.mongo.Collection<{ _id: string }>,
  count: number,
  make: (at: number) => { _id: string; [field: string]: unknown },
): Promise<void> {
  for (let from = 0; from < count; from += batch) {
    const documents = Array.from({ length: Math.min(batch, count - from) }, (_, at) => make(from + at));
    await collection.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
  }
}
