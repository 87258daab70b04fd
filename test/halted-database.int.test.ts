import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMongod, startMongod, type StartedServer } from '@storefront/backing';
import {
  collectionOf,
  byId,
  defineCollection,
  inTransaction,
  isDatabaseAway,
  openCollections,
  openDatabase,
  readUpToDate,
  type Database,
} from '@storefront/mongo';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

// More than the kernel buffers for a connection, so that the driver waits until the socket takes the remaining bytes.
const large = 'x'.repeat(12_000_000);
// Two tries of 10 s silence each, and less than the 30 s after which everything else is given up, too.
const withinMs = 28_000;

const letters = defineCollection('letters', { text: z.string() }, { sharding: byId });
let folder: string;
let mongod: StartedServer;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'halted-database-'));
  mongod = await startMongod({ binary: await findMongod(() => undefined), dataDir: folder });
  const url = new URL(mongod.url);
  url.pathname = '/halted';
  database = await openDatabase(url.href, pino({ level: 'silent' }));
  await openCollections(database, [letters]);
});
afterEach(() => process.kill(mongod.pid, 'SIGCONT'));
afterAll(async () => {
  await database.close(true);
  await mongod.close();
  await rm(folder, { recursive: true });
});

/** The driver's own collection, without any time limit of this project's. */
const unlimited = () => database.getClient().db(database.name).collection<{ _id: string; text: string }>('letters');

const writes: Record<string, () => Promise<unknown>> = {
  'a write': () => unlimited().insertOne({ _id: 'a', text: large }),
  'a transaction': () =>
    inTransaction(database, ({ session }) =>
      unlimited().insertMany(
        [
          { _id: 'b', text: large },
          { _id: 'c', text: large },
        ],
        { session },
      ),
    ),
};

it.each(Object.keys(writes))('%s of 12 MB ends while the database is halted, and later ones work', async (name) => {
  await collectionOf(database, letters).findOne({ _id: 'warm' });
  process.kill(mongod.pid, 'SIGSTOP');
  const outcome = await Promise.race([
    (writes[name] as () => Promise<unknown>)().catch((error: unknown) => error),
    new Promise((resolve) => setTimeout(resolve, withinMs, 'never ended').unref()),
  ]);
  expect(isDatabaseAway(outcome), String(outcome)).toBe(true);

  process.kill(mongod.pid, 'SIGCONT');
  const found = await collectionOf(database, letters).findOne({ _id: 'warm' });
  expect(found).toBeNull();
});

// Less than the driver takes to find the server silent, and far more than the time that these reads are given.
const shortMs = 6000;
const admin = () => database.getClient().db('admin');
const troubles: Record<string, { begin: () => unknown; end: () => unknown }> = {
  'the database is halted': {
    begin: () => process.kill(mongod.pid, 'SIGSTOP'),
    end: () => process.kill(mongod.pid, 'SIGCONT'),
  },
  // What takes no writes can't show either that it is still the primary.
  'the database confirms nothing': {
    begin: () => admin().command({ fsync: 1, lock: true }),
    end: () => admin().command({ fsyncUnlock: 1 }),
  },
};

it.each(Object.keys(troubles))('reads that must be up to date end in their time while %s', async (name) => {
  const { begin, end } = troubles[name] as (typeof troubles)[string];
  // More than the pool has connections, in turns: none of them keeps one.
  const read = () =>
    readUpToDate(500, (upToDate) => collectionOf(database, letters).findOne({ _id: 'warm' }, { ...upToDate }));
  await read();
  await begin();
  try {
    const reading = Promise.allSettled(Array.from({ length: 30 }, read)).then(() => read());
    const outcome = await Promise.race([
      reading.catch((error: unknown) => error),
      new Promise((resolve) => setTimeout(resolve, shortMs, 'never ended').unref()),
    ]);
    expect(isDatabaseAway(outcome), String(outcome)).toBe(true);
  } finally {
    await end();
  }
  expect(await collectionOf(database, letters).findOne({ _id: 'warm' })).toBeNull();
});
