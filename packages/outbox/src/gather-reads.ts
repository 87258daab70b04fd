import type mongoose from 'mongoose';
import { gather } from './gather.ts';
import { orGiveUp } from './give-up.ts';

// Two: while MongoDB works on one read, the next is already being written or taken in.
const lanes = 2;

/**
 * Reads documents by their ids, gathered. A read always begins after it was asked for: nobody is given something older than
 * what was acknowledged before. What it answers may be given to others too, and is not to be changed.
 */
export function gatherReads<Document extends { _id: string }>(
  collection: mongoose.mongo.Collection<Document>,
  projection: Record<string, 0 | 1>,
): (id: string) => Promise<Document | null> {
  return gather<string, Document | null>({
    lanes,
    async work(ids) {
      const found = new Map((await orGiveUp(find([...new Set(ids)]))).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });

  async function find(ids: readonly string[]): Promise<Document[]> {
    if (ids.length > 1) return (await collection.find(byId({ $in: [...ids] }), { projection }).toArray()) as Document[];
    const document = (await collection.findOne(byId(ids[0]), { projection })) as Document | null;
    return document ? [document] : [];
  }

  function byId(condition: unknown): mongoose.mongo.Filter<Document> {
    return { _id: condition } as mongoose.mongo.Filter<Document>;
  }
}
