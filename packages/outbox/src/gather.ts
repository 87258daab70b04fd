import type mongoose from 'mongoose';

// Two: while MongoDB works on one read, the next is already being written or taken in.
const lanes = 2;
const atMost = 100;

interface Waiting<Document> {
  readonly promise: Promise<Document | null>;
  readonly resolve: (document: Document | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads documents by their ids. While reads are under way, those who ask meanwhile are gathered and share the next one,
 * so a busy service asks MongoDB once for many requests, and an idle one waits for nobody. A read always begins after it
 * was asked for: nobody is given something older than what was acknowledged before. What it answers may be given to
 * others too, and is not to be changed.
 */
export function gatherReads<Document extends { _id: string }>(
  collection: mongoose.mongo.Collection<Document>,
  projection: Record<string, 0 | 1>,
): (id: string) => Promise<Document | null> {
  let underWay = 0;
  let waiting = new Map<string, Waiting<Document>>();

  async function alone(id: string): Promise<Document | null> {
    underWay += 1;
    try {
      return (await collection.findOne({ _id: id } as mongoose.mongo.Filter<Document>, {
        projection,
      })) as Document | null;
    } catch (error) {
      giveUp(error);
      throw error;
    } finally {
      underWay -= 1;
      next();
    }
  }

  async function together(readers: Map<string, Waiting<Document>>): Promise<void> {
    underWay += 1;
    try {
      const filter = { _id: { $in: [...readers.keys()] } } as mongoose.mongo.Filter<Document>;
      const found = new Map<string, Document>();
      for (const document of (await collection.find(filter, { projection }).toArray()) as Document[])
        found.set(document._id, document);
      for (const [id, { resolve }] of readers) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of readers.values()) reject(error);
      giveUp(error);
    } finally {
      underWay -= 1;
      next();
    }
  }

  function next(): void {
    if (waiting.size === 0) return;
    const readers = waiting;
    waiting = new Map();
    if (readers.size > atMost) {
      for (const [id, reader] of [...readers].slice(atMost)) {
        readers.delete(id);
        waiting.set(id, reader);
      }
    }
    void together(readers);
  }

  // The driver has tried again already: the database is away, and to wait for it in turns would only take longer.
  function giveUp(error: unknown): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting = new Map();
  }

  return (id) => {
    if (underWay < lanes) return alone(id);
    let reader = waiting.get(id);
    if (!reader) waiting.set(id, (reader = Promise.withResolvers<Document | null>()));
    return reader.promise;
  };
}
