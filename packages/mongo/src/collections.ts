import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type mongoose from 'mongoose';
import type { Database } from './database.ts';
import { outboxRule, type CollectionDefinition } from './define-collection.ts';
import { limitCommands } from './time-limit.ts';

/** A collection of the official driver. */
export type Collection<Document extends mongoose.mongo.Document> = mongoose.mongo.Collection<Document>;

export type Filter<Document> = mongoose.mongo.Filter<Document>;

const [namespaceExists, indexBuildRunning] = [48, 12_587];
const pauseMs = 200;

/**
 * Returns the driver's collection. Each command has a time limit of 30 s; after that it fails with an error for which
 * `isDatabaseAway` is true.
 */
export function collectionOf<Document extends mongoose.mongo.Document>(
  database: Database,
  of: CollectionDefinition<Document> | string,
): Collection<Document> {
  return driverOf(database).collection<Document>(typeof of === 'string' ? of : of.name);
}

/**
 * Creates missing collections, indexes, and size rules of outboxes. Call this before the first use: a transaction can't
 * create a collection that another transaction is creating, and hints need existing indexes. Waits for an index as long
 * as MongoDB needs to build it. Throws if the server stops answering.
 */
export async function openCollections(database: Database, definitions: readonly CollectionDefinition[]): Promise<void> {
  const driver = driverOf(database);
  const found = await driver.listCollections({}, { nameOnly: false }).toArray();
  const validators = new Map(found.map(({ name, options }) => [name, options?.['validator'] as unknown]));
  await Promise.all(
    definitions.map(async (definition) => {
      const { name, schema, hasOutbox } = definition;
      const indexes = schema.indexes().map(([key, options]) => ({ key, ...options }));
      // MongoDB makes a missing collection together with its indexes, which takes half as long as one after the other.
      if (indexes.length > 0) await createIndexes(database, name, indexes as mongoose.mongo.IndexDescription[]);
      else if (!validators.has(name)) await create(driver, name);
      if (hasOutbox && !isDeepStrictEqual(validators.get(name), outboxRule.validator)) await setRule(driver, name);
    }),
  );
}

// MongoDB sends nothing until the indexes are built, which takes minutes for a large collection. So these commands do
// not have the usual time limits. If the server itself stops answering, the driver's monitor notices and closes the
// connection.
async function createIndexes(
  database: Database,
  name: string,
  indexes: mongoose.mongo.IndexDescription[],
): Promise<void> {
  const unlimited: mongoose.mongo.CreateIndexesOptions & { socketTimeoutMS: number } = { socketTimeoutMS: 0 };
  await database.getClient().db(database.name).collection(name).createIndexes(indexes, unlimited);
}

/** MongoDB refuses it while an index of the collection is built, as by another instance that starts. */
async function setRule(driver: mongoose.mongo.Db, name: string): Promise<void> {
  for (;;) {
    try {
      await driver.command({ collMod: name, ...outboxRule });
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== indexBuildRunning) throw error;
      await wait(pauseMs);
    }
  }
}

/** Creates a collection, unless another process has done so meanwhile. */
async function create(driver: mongoose.mongo.Db, name: string): Promise<void> {
  try {
    await driver.createCollection(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== namespaceExists) throw error;
  }
}

/**
 * Counts documents up to `limit`, including tombstones, from the keys of an index alone. The driver's `countDocuments`
 * also puts each key into a pipeline, which takes 50 % longer.
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
