import type { Event } from '@storefront/contracts';
import { ConfigError } from '@storefront/process';
import mongoose from 'mongoose';
import type { Databases } from './databases.ts';
import { readManifest, type Manifest, type StoredCollection } from './manifest.ts';
import { checkStoredFile, readDocuments } from './stored-files.ts';

const { BSON } = mongoose.mongo;

/** What a restore needs from the broker. */
export interface BrokerToFill {
  /** Creates the exchange and the queues where they are missing. */
  prepare(): Promise<void>;
  /** How many messages and how many consumers all queues have together. */
  count(): Promise<{ readonly messages: number; readonly consumers: number }>;
  /** Deletes all messages in the queues. */
  empty(): Promise<void>;
  /** Publishes each event to all queues of its type. Throws where the broker does not confirm every event. */
  publish(events: readonly Event[]): Promise<void>;
}

interface RestoreOptions {
  readonly folder: string;
  readonly databases: Databases;
  readonly broker: BrokerToFill;
  /** Whether to delete everything in the databases and queues first. */
  readonly force: boolean;
  readonly say: (line: string) => void;
}

const documentsAtOnce = 1_000;
const bytesAtOnce = 8_000_000;
const eventsAtOnce = 500;

/**
 * Restores a backup into a system whose services do not run. Nothing is written before every file was checked and the
 * system is empty. An interrupted restore can be repeated with `force`. Throws a ConfigError that says what an operator
 * can do.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { folder, databases, broker, say } = options;
  const manifest = await readManifest(folder);
  const files = [...manifest.databases.flatMap(({ collections }) => collections), manifest.events];
  for (const file of files) await checkStoredFile(folder, file);
  const moment = new Date(manifest.clusterTime.seconds * 1_000).toISOString();
  say(`The backup is undamaged: ${files.length} files, everything as of ${moment}.`);

  await broker.prepare();
  await emptySystem(options);
  for (const { service, collections } of manifest.databases) {
    for (const collection of collections) {
      await restoreCollection(databases.of(service), folder, collection);
      say(`${service}.${collection.name}: ${collection.documents} documents`);
    }
  }
  for await (const events of inBatches(readDocuments(folder, manifest.events), eventsAtOnce))
    await broker.publish(events.map((event) => BSON.deserialize(event) as Event));
  say(`events: ${manifest.events.documents} published again`);
  return manifest;
}

async function emptySystem({ databases, broker, force }: RestoreOptions): Promise<void> {
  const { messages, consumers } = await broker.count();
  if (consumers > 0)
    throw new ConfigError(`Services run: RabbitMQ has ${consumers} consumers. Stop all services and gateways first.`);
  const filled = await filledCollections(databases);
  if (!force && filled.length + messages > 0)
    throw new ConfigError(
      `The system is not empty: the queues have ${messages} messages, and ${filled.length} collections documents ` +
        `(${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ', …' : ''}). --force deletes all of it first.`,
    );
  for (const service of databases.services) await databases.of(service).dropDatabase();
  await broker.empty();
}

async function filledCollections(databases: Databases): Promise<string[]> {
  const filled: string[] = [];
  for (const service of databases.services) {
    const database = databases.of(service);
    for (const { name } of await database.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
      if (await database.collection(name).findOne({}, { projection: { _id: 1 } })) filled.push(`${service}.${name}`);
  }
  return filled;
}

async function restoreCollection(database: mongoose.mongo.Db, folder: string, stored: StoredCollection): Promise<void> {
  const { name } = stored;
  await database.command({ create: name, ...(BSON.EJSON.parse(stored.options, { relaxed: false }) as object) });
  const collection = database.collection(name);
  let inserted = 0;
  for await (const documents of inBatches(readDocuments(folder, stored), documentsAtOnce)) {
    const result = await collection.insertMany(
      // Documents are inserted exactly as they were stored. Without these options, a whole number that is stored as a
      // double would become an integer.
      documents.map((document) => BSON.deserialize(document, { promoteValues: false, promoteBuffers: false })),
      // A document may be older than the validation rule of its collection.
      { ordered: false, bypassDocumentValidation: true },
    );
    inserted += result.insertedCount;
  }
  if (inserted !== stored.documents)
    throw new Error(`${database.databaseName}.${name} has ${inserted} documents, not ${stored.documents}`);
  // Indexes are created after the documents, because that is faster than updating them with each document.
  const indexes = (BSON.EJSON.parse(stored.indexes, { relaxed: false }) as mongoose.mongo.Document[])
    .filter((index) => index['name'] !== '_id_')
    .map(({ v: _version, ns: _namespace, ...index }) => index);
  if (indexes.length > 0) await database.command({ createIndexes: name, indexes });
}

async function* inBatches(documents: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(document);
    bytes += document.length;
    if (batch.length < most && bytes < bytesAtOnce) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
