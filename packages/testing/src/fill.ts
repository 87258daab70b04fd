import type mongoose from 'mongoose';

const batch = 10_000;

/**
 * Fills a collection with `count` documents. Its indexes are dropped before and built again afterwards, which is
 * several times as fast as keeping them up to date. They are built one by one: a service's connection has a time
 * limit for each command, and all together would take longer.
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
    // Services read what the majority has: the last write waits until it has all.
    const w = from + batch < count ? 1 : 'majority';
    await collection.insertMany(documents, { ordered: false, writeConcern: { w } });
  }
  const again = indexes.map(({ v: _version, ...index }) => index);
  for (const index of again) await collection.createIndexes([index]);
}
