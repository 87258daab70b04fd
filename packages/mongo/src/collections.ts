import type mongoose from 'mongoose';
import type { Database } from './database.ts';
import type { CollectionDefinition } from './define-collection.ts';
import { limitCommands, withinTimeLimit } from './time-limit.ts';

/** A collection of the official driver. */
export type Collection<Document extends mongoose.mongo.Document> = mongoose.mongo.Collection<Document>;

export type Filter<Document> = mongoose.mongo.Filter<Document>;

const namespaceExists = 48;

/**
 * The driver's collection. Each of its commands has a time limit of 30 s; then it fails with an error for which
 * `isDatabaseAway` is true.
 */
export function collectionOf<Document extends mongoose.mongo.Document>(
  database: Database,
  of: CollectionDefinition<Document> | string,
): Collection<Document> {
  return limitCommands(driverOf(database).collection<Document>(typeof of === 'string' ? of : of.name));
}

/**
 * Creates the collections and their indexes where they are missing. To be done before the first use: a transaction
 * can't create a collection that another one is creating, and hints name indexes.
 */
export async function openCollections(database: Database, definitions: readonly CollectionDefinition[]): Promise<void> {
  await Promise.all(definitions.map((definition) => create(database, definition)));
}

async function create(database: Database, { name, schema }: CollectionDefinition): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ key, ...options }));
  // This creates the collection as well.
  if (indexes.length > 0) {
    await driverOf(database)
      .collection(name)
      .createIndexes(indexes as mongoose.mongo.IndexDescription[]);
    return;
  }
  try {
    await driverOf(database).createCollection(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== namespaceExists) throw error;
  }
}

/**
 * Counts documents by the keys of an index alone, up to `limit`, tombstones included. The driver's `countDocuments`
 * puts each key into a pipeline, which takes half as long again.
 */
export async function countByIndex(
  database: Database,
  name: string,
  { filter, hint, limit }: { filter: mongoose.mongo.Document; hint: string; limit: number },
): Promise<number> {
  const command = driverOf(database).command({ count: name, query: filter, hint, limit });
  const { n } = await withinTimeLimit(command);
  return n as number;
}

function driverOf(database: Database): mongoose.mongo.Db {
  return database.getClient().db(database.name);
}
