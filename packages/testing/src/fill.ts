import type mongoose from 'mongoose';

const batch = 10_000;

/**
 * Fills a collection with `count` documents. Its indexes are built again afterwards: kept up to date with every document
 * they take several times as long. One by one, since a service's connection waits for no command as long as all would take.
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
    await collection.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
  }
  const again = indexes.map(({ v: _version, ...index }) => index);
  for (const index of again) await collection.createIndexes([index]);
}
