import { mkdir, readdir } from 'node:fs/promises';
import type { Event, ServiceName } from '@storefront/contracts';
import { ConfigError } from '@storefront/process';
import mongoose from 'mongoose';
import type { Databases } from './databases.ts';
import { writeManifest, type Manifest, type StoredCollection } from './manifest.ts';
import { readPublishedEvents } from './published-events.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { storeDocuments } from './stored-files.ts';

const { BSON } = mongoose.mongo;

/** What a backup needs from the broker. */
export interface EventsInBroker {
  /** Returns the events of all dead letters. */
  readDeadLetters(): Promise<readonly Event[]>;
}

interface BackupOptions {
  readonly databases: Databases;
  /** null where the backup takes no dead letters. */
  readonly broker: EventsInBroker | null;
  /** The folder to write to. It must be empty, or not exist yet. */
  readonly folder: string;
  /** The backup contains events that were published at most this many minutes before its moment. */
  readonly eventMinutes: number;
  readonly say: (line: string) => void;
}

interface Found {
  readonly service: ServiceName;
  readonly collection: mongoose.mongo.Collection;
  readonly options: string;
  readonly indexes: string;
}

const readAtOnce = 3;

/**
 * Collections that are in no backup. If they were restored, a session or token that was ended after the backup would be
 * valid again. Without the keys that signed them, old access tokens are refused everywhere. Identity makes new keys
 * when it starts.
 */
const leftOut: Partial<Record<ServiceName, readonly string[]>> = {
  identity: ['sessions', 'signing_keys', 'mfa_tokens', 'challenges', 'stream_tickets'],
};

/**
 * Writes the databases of all services as they were at one moment, while the system runs. The backup contains
 * everything that was acknowledged before the call. Throws a ConfigError that says what an operator can do.
 */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const { databases, broker, folder, eventMinutes, say } = options;
  const startedAt = new Date().toISOString();
  await makeFolder(folder);
  // Dead letters are read before the moment is taken. So all of them were published before that moment.
  const deadLetters = (await broker?.readDeadLetters()) ?? [];
  const found = await findCollections(databases);
  const [first] = found;
  if (!first)
    throw new ConfigError('None of the databases has a collection. Is the name in the path of MONGODB_URL right?');
  const snapshot = await openSnapshot(databases.client, first.collection);
  try {
    const seconds = snapshot.clusterTime.getHighBits();
    const increment = snapshot.clusterTime.getLowBits();
    say(`Everything is as of ${new Date(seconds * 1_000).toISOString()} (${seconds}:${increment}).`);
    const stored = await storeCollections(found, snapshot, options);
    // The events are read last, because MongoDB keeps the log of changes longer than the snapshot.
    const since = seconds - eventMinutes * 60;
    const events = await storeDocuments(folder, 'events.bson.zst', eventsOf(since));
    say(`events: ${events.documents} since ${new Date(since * 1_000).toISOString()}, and of dead letters`);
    const manifest: Manifest = {
      format: 1,
      startedAt,
      clusterTime: { seconds, increment },
      databases: databases.services.map((service) => ({ service, collections: stored.get(service) ?? [] })),
      events: { ...events, since: new Date(since * 1_000).toISOString(), ofDeadLetters: deadLetters.length },
    };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    await snapshot.close();
  }

  async function* eventsOf(since: number): AsyncGenerator<Uint8Array> {
    const names = databases.services.map((service) => databases.of(service).databaseName);
    const published = { databases: names, since, until: snapshot.clusterTime };
    for (const event of deadLetters) yield BSON.serialize(event);
    for await (const event of readPublishedEvents(databases.client, published)) yield BSON.serialize(event);
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new ConfigError(`${folder} is not empty.`);
}

async function findCollections(databases: Databases): Promise<Found[]> {
  const found: Found[] = [];
  for (const service of databases.services) {
    const database = databases.of(service);
    const listed = await database.listCollections({ type: 'collection' }, { nameOnly: false }).toArray();
    for (const { name, options } of listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (name.startsWith('system.') || leftOut[service]?.includes(name)) continue;
      const collection = database.collection(name);
      const indexes = await collection.listIndexes().toArray();
      found.push({ service, collection, options: exactly(options ?? {}), indexes: exactly(indexes) });
    }
  }
  return found;
}

async function storeCollections(
  found: readonly Found[],
  snapshot: Snapshot,
  { folder, say }: BackupOptions,
): Promise<ReadonlyMap<ServiceName, StoredCollection[]>> {
  const stored: { readonly service: ServiceName; readonly collection: StoredCollection }[] = [];
  const left = found.values();
  async function work(): Promise<void> {
    for (const { service, collection, options, indexes } of left) {
      const name = collection.collectionName;
      const file = await storeDocuments(folder, `${service}.${name}.bson.zst`, snapshot.read(collection));
      stored.push({ service, collection: { ...file, name, options, indexes } });
      say(`${service}.${name}: ${file.documents} documents, ${file.bytes} bytes`);
    }
  }
  await Promise.all(Array.from({ length: readAtOnce }, work));
  return new Map(
    [...Map.groupBy(stored, ({ service }) => service)].map(([service, all]) => [
      service,
      all.map(({ collection }) => collection).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ]),
  );
}

function exactly(value: unknown): string {
  return BSON.EJSON.stringify(value, { relaxed: false });
}
