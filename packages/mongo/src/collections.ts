import { isDeepStrictEqual } from 'node:util';
import type mongoose from 'mongoose';
import type { Database } from './database.ts';
import { outboxRule, type CollectionDefinition } from './define-collection.ts';
import { limitCommands } from './time-limit.ts';

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
  return driverOf(database).collection<Document>(typeof of === 'string' ? of : of.name);
}

/**
 * Creates the collections, their indexes and the bound of their outboxes where they are missing. To be done before the
 * first use: a transaction can't create a collection that another one is creating, and hints name indexes. It waits for an
 * index as long as MongoDB needs to build it, and throws where the server falls silent.
 */
export async function openCollections(database: Database, definitions: readonly CollectionDefinition[]): Promise<void> {
  const driver = driverOf(database);
  const found = await driver.listCollections({}, { nameOnly: false }).toArray();
  const validators = new Map(found.map(({ name, options }) => [name, options?.['validator'] as unknown]));
  await Promise.all(
    definitions.map(async (definition) => {
      const { name, schema, hasOutbox } = definition;
      const isNew = !validators.has(name) && (await create(driver, definition));
      if (hasOutbox && !isNew && !isDeepStrictEqual(validators.get(name), outboxRule.validator))
        await driver.command({ collMod: name, ...outboxRule });
      const indexes = schema.indexes().map(([key, options]) => ({ key, ...options }));
      if (indexes.length > 0) await createIndexes(database, name, indexes as mongoose.mongo.IndexDescription[]);
    }),
  );
}

// MongoDB sends nothing until the indexes are built, which takes minutes on a large collection. So these commands have none of the
// usual time limits; where the server itself is silent, the driver's monitor finds it, and closes the connection.
async function createIndexes(
  database: Database,
  name: string,
  indexes: mongoose.mongo.IndexDescription[],
): Promise<void> {
  const unlimited: mongoose.mongo.CreateIndexesOptions & { socketTimeoutMS: number } = { socketTimeoutMS: 0 };
  await database.getClient().db(database.name).collection(name).createIndexes(indexes, unlimited);
}

/** Returns false where another process was faster. */
async function create(driver: mongoose.mongo.Db, { name, hasOutbox }: CollectionDefinition): Promise<boolean> {
  try {
    await driver.createCollection(name, hasOutbox ? outboxRule : {});
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== namespaceExists) throw error;
    return false;
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
  const { n } = await driverOf(database).command({ count: name, query: filter, hint, limit });
  return n as number;
}

function driverOf(database: Database): mongoose.mongo.Db {
  return limitCommands(database.getClient().db(database.name));
}
