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
 * Reads documents by their ids. Those who ask in one turn of the event loop, or while reads are under way, are gathered and
 * share the next one: a busy service asks MongoDB once for many requests, and an idle one waits for nobody. A read always
 * begins after it was asked for: nobody is given something older than what was acknowledged before. What it answers may be
 * given to others too, and is not to be changed.
 */
export function gatherReads<Document extends { _id: string }>(
  collection: mongoose.mongo.Collection<Document>,
  projection: Record<string, 0 | 1>,
): (id: string) => Promise<Document | null> {
  let underWay = 0;
  let isNext = false;
  let waiting = new Map<string, Waiting<Document>>();

  function next(): void {
    if (isNext || underWay >= lanes || waiting.size === 0) return;
    isNext = true;
    // Requests that came in together are all through when this is called.
    setImmediate(() => {
      isNext = false;
      // A read that failed meanwhile has taken those who waited along.
      if (waiting.size === 0) return;
      void read(take());
      next();
    });
  }

  function take(): ReadonlyMap<string, Waiting<Document>> {
    const all = [...waiting];
    waiting = new Map(all.slice(atMost));
    return new Map(all.slice(0, atMost));
  }

  async function read(readers: ReadonlyMap<string, Waiting<Document>>): Promise<void> {
    underWay += 1;
    try {
      const found = new Map((await find([...readers.keys()])).map((document) => [document._id, document]));
      for (const [id, { resolve }] of readers) resolve(found.get(id) ?? null);
    } catch (error) {
      // The driver has tried again already: the database is away, and to wait for it in turns would only take longer.
      for (const { reject } of [...readers.values(), ...waiting.values()]) reject(error);
      waiting = new Map();
    } finally {
      underWay -= 1;
      next();
    }
  }

  async function find(ids: readonly string[]): Promise<Document[]> {
    if (ids.length > 1) return (await collection.find(byId({ $in: [...ids] }), { projection }).toArray()) as Document[];
    const document = (await collection.findOne(byId(ids[0]), { projection })) as Document | null;
    return document ? [document] : [];
  }

  const byId = (condition: unknown) => ({ _id: condition }) as mongoose.mongo.Filter<Document>;

  return (id) => {
    let reader = waiting.get(id);
    if (!reader) waiting.set(id, (reader = Promise.withResolvers<Document | null>()));
    next();
    return reader.promise;
  };
}
