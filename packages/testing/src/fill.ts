import type mongoose from 'mongoose';

const batch = 10_000;
// Longer than a service would wait for anything.
const buildMs = 120_000;

/**
 * Fills a collection with `count` documents. Its indexes are built again afterwards, all in one go: kept up to date with
 * every document they take several times as long.
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
  if (again.length > 0) await collection.createIndexes(again, { timeoutMS: buildMs });
}
