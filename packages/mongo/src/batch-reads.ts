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
      const found = new Map((await find([...new Set(ids)])).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });

  async function find(ids: readonly string[]): Promise<Document[]> {
    if (ids.length > 1) return collection.find<Document>(byId({ $in: [...ids] }), { projection }).toArray();
    const document = await collection.findOne<Document>(byId(ids[0]), { projection });
    return document ? [document] : [];
  }

  function byId(condition: unknown): Filter<Document> {
    return { _id: condition } as Filter<Document>;
  }
}
