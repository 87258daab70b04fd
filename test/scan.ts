import mongoose from 'mongoose';

/** Every document of a system, in whichever of its databases. */
export interface Scan {
  /** Those that hold one of the words anywhere, as `service.collection` → documents. */
  documentsWith(...words: string[]): Promise<Record<string, unknown[]>>;
  close(): Promise<void>;
}

/** Looks through all databases on the server whose names begin with the one in the address. */
export async function scanOf(mongodbUrl: string): Promise<Scan> {
  const prefix = new URL(mongodbUrl).pathname.slice(1);
  const connection = await mongoose.createConnection(mongodbUrl).asPromise();
  const client = connection.getClient();
  return {
    async documentsWith(...words) {
      const found: Record<string, unknown[]> = {};
      const { databases } = await client.db().admin().listDatabases();
      for (const { name } of databases.filter((database) => database.name.startsWith(prefix))) {
        const db = client.db(name);
        for (const { name: collection } of await db.listCollections().toArray()) {
          const documents = await db.collection(collection).find().toArray();
          const hits = documents.filter((document) => words.some((word) => JSON.stringify(document).includes(word)));
          if (hits.length > 0) found[`${name.split('_').at(-1)}.${collection}`] = hits;
        }
      }
      return found;
    },
    close: () => connection.close(),
  };
}
