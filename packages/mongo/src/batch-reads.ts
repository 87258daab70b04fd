import { batch } from './batch.ts';
import type { Collection, Filter } from './collections.ts';

// With two reads at a time, one can be sent or received while MongoDB works on the other.
const concurrency = 2;

/**
 * Reads documents by their ids. Reads that are requested at the same time become one command. The command is sent after
 * all its reads were requested, so it returns everything that was acknowledged before. Several callers may get the same
 * object, so it must not be changed.
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
 * Like `batchReads`, for calls with several ids. A call gets the existing documents in the order of its ids, all at
 * once. One command reads the ids of at most 100 calls, however many ids each call has.
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
