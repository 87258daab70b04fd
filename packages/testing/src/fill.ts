import type mongoose from 'mongoose';

const batch = 10_000;

/**
 * Fills a collection with `count` documents. Its indexes are dropped before and built again afterwards, which is
 * several times faster than updating them with each document. They are built one by one, because a service's connection
 * has a time limit for each command, and building all in one command would take longer.
 */
export async function fill(
  collection: mongoose.mongo.Collection<any>,
  count: number,
  make: (index: number) => { _id: unknown },
): Promise<void> {
  const indexes = (await collection.indexes()).filter(({ name }) => name !== '_id_');
  await collection.dropIndexes();
  for (let from = 0; from < count; from += batch) {
    const documents = Array.from({ length: Math.min(batch, count - from) }, (_, index) => make(from + index));
    // Services read only data that a majority has, so the last write waits until a majority has all documents.
    const w = from + batch < count ? 1 : 'majority';
    await collection.insertMany(documents, { ordered: false, writeConcern: { w } });
  }
  const again = indexes.map(({ v: _version, ...index }) => index);
  for (const index of again) await collection.createIndexes([index]);
}
