import { batch } from './batch.ts';
import type { Collection, Filter } from './collections.ts';

// While MongoDB works on one read, the next is already being sent or received.
const concurrency = 2;

/**
 * Reads documents by their ids; the reads of one moment are one command. A read begins after it was called, so it never
 * returns less than what was acknowledged before. Callers may get the same object: it must not be changed.
 */
export function batchReads<Document extends { _id: string }>(
  collection: Collection<Document>,
  projection: Record<string, 0 | 1>,
): (id: string) => Promise<Document | null> {
  return batch<string, Document | null>({
    concurrency,
    async work(ids) {
      const found = await findByIds(collection, projection, new Set(ids));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}

/**
 * The same for calls with several ids: a call waits once for all of its documents, and gets those that exist in the order
 * of its ids. A command reads the ids of 100 calls at most, however many each has.
 */
export function batchReadsOfMany<Document extends { _id: string }>(
  collection: Collection<Document>,
  projection: Record<string, 0 | 1>,
): (ids: readonly string[]) => Promise<readonly Document[]> {
  const read = batch<readonly string[], readonly Document[]>({
    concurrency,
    async work(calls) {
      const found = await findByIds(collection, projection, new Set(calls.flat()));
      return calls.map((ids) => ids.flatMap((id) => found.get(id) ?? []));
    },
  });
  return async (ids) => (ids.length === 0 ? [] : read(ids));
}

async function findByIds<Document extends { _id: string }>(
  collection: Collection<Document>,
  projection: Record<string, 0 | 1>,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Document>> {
  const ids = [...wanted];
  return new Map((await find()).map((document) => [document._id, document]));

  async function find(): Promise<Document[]> {
    if (ids.length > 1) return collection.find<Document>(byId({ $in: ids }), { projection }).toArray();
    const document = await collection.findOne<Document>(byId(ids[0]), { projection });
    return document ? [document] : [];
  }

  function byId(condition: unknown): Filter<Document> {
    return { _id: condition } as Filter<Document>;
  }
}
