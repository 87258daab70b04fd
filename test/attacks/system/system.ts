import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serviceNames } from '@storefront/contracts';
import { startStack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger, type HarnessOptions } from '@storefront/testing';
import mongoose from 'mongoose';
import { inject } from 'vitest';
import { patient } from '../../patient.ts';
import { createCaller, type Caller } from './caller.ts';
import { createLeakWatch, type LeakWatch } from './leaks.ts';

/** The whole system under attack, and what only a test may see of it. */
export interface System {
  readonly url: string;
  readonly mailbox: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** The private addresses of the services. */
  readonly services: Readonly<Record<string, string>>;
  /** Holds the secrets of this start. */
  readonly dataDir: string;
  readonly call: Caller;
  readonly leaks: LeakWatch;
  /** The database of a service. */
  database(service: string): mongoose.mongo.Db;
  /**
   * A hash of every collection but those that instances write by themselves, once nothing changes by itself any more:
   * two that are equal mean that nothing was written.
   */
  fingerprint(): Promise<Record<string, string>>;
  /** The requests that services, not the gateway, have answered since the start. */
  reached(): { name: string; method: string; route: string; status: number }[];
  close(): Promise<void>;
}

// Health writes down what it sees all the time.
const watched = serviceNames.filter((name) => name !== 'health');
// Every instance writes here that it is alive, which jobs it does, how new the sums of reports are, and at the end of a
// minute how many requests it has refused for the role of their caller, whatever callers do.
const ofInstances = new Set(['instances', 'job_holders', 'roll_up_state', 'audit_notes']);
const sweptSoon = { deletedAt: { $exists: true }, outbox: { $size: 0 } };
const publishedSoon = { 'outbox.0': { $exists: true } };

/**
 * Starts a system of its own for one file; limits are off unless `env` turns them on. Attackers reach no bus, so it is the
 * in-process one unless `bus` says otherwise.
 */
export async function startSystem(
  label: string,
  env: NodeJS.ProcessEnv = {},
  bus: HarnessOptions['bus'] = 'in-process',
): Promise<System> {
  const logs = memoryLogger();
  const vhost = bus === 'rabbitmq' ? await freshVhost(label) : undefined;
  const dataDir = await mkdtemp(join(tmpdir(), `storefront-${label}-`));
  const databasePrefix = `${label}_${randomBytes(4).toString('hex')}_`;
  const stack = await startStack({
    env: {
      PORT: '0',
      MONGODB_URL: inject('mongodbUrl'),
      AMQP_URL: vhost?.url,
      RATE_LIMITS: 'off',
      // All of the system and its attackers share one event loop here.
      ...patient,
      // A start that takes its time would be written down as incidents, and why is shown to administrators.
      PROBE_INTERVAL_MS: '3600000',
      ...env,
    },
    dataDir,
    bus,
    // As between the images of a shop.
    localCalls: false,
    empty: true,
    databasePrefix,
    loggerOf: (name) => logs.logger.child({ name }),
  });
  const mongo = await mongoose.createConnection(inject('mongodbUrl')).asPromise();
  const leaks = createLeakWatch(logs.lines);
  const { admin } = stack.accounts;
  leaks.keepSecret(admin.password);
  const url = stack.gateways[0] ?? '';
  const database = (service: string) => mongo.getClient().db(databasePrefix + service);

  for (const service of watched) await keepExpired(database(service));

  const hashes = async () => {
    const ofEach = await Promise.all(
      watched.map(async (service) => {
        const { collections } = await database(service).command({ dbHash: 1 });
        return Object.entries(collections as Record<string, string>)
          .filter(([name]) => !ofInstances.has(name))
          .map(([name, hash]) => [`${service}.${name}`, hash]);
      }),
    );
    return Object.fromEntries(ofEach.flat()) as Record<string, string>;
  };

  /**
   * The first document that has events which are not published yet, or is deleted and has none: the relay's next sweep, within a
   * second, takes them away. Or a fact that waits for being counted. Null where there is none.
   */
  const waitsForWorkers = async () => {
    for (const service of watched)
      for (const { collectionName } of await database(service).collections()) {
        const waiting = await database(service)
          .collection(collectionName)
          .findOne({ $or: [sweptSoon, publishedSoon] });
        if (waiting) return { [`${service}.${collectionName}`]: waiting };
      }
    const uncounted = await database('engagement').collection('facts').findOne({ pending: true });
    return uncounted && { 'engagement.facts': uncounted };
  };

  /** Whether all events that were published before the moment are facts. */
  const areFactsUpTo = async (moment: Date) =>
    (await database('engagement')
      .collection('roll_up_state')
      .findOne({ heartbeatAt: { $gt: moment } })) !== null;

  return {
    url,
    mailbox: stack.mailbox ?? '',
    admin,
    services: stack.services,
    dataDir,
    call: createCaller(url, leaks),
    leaks,
    database,
    async fingerprint() {
      await eventually(
        async () => {
          const waiting = await waitsForWorkers();
          if (waiting) throw new Error(JSON.stringify(waiting));
          return true;
        },
        'all events to be published and counted, and all tombstones to be removed',
        30_000,
      );
      const published = new Date();
      await eventually(() => areFactsUpTo(published), 'all events to be facts', 30_000);
      return eventually(
        async () => {
          if (await waitsForWorkers()) return null;
          const before = await hashes();
          await wait(250);
          const after = await hashes();
          return JSON.stringify(before) === JSON.stringify(after) ? after : null;
        },
        'the databases to have no more writes',
        30_000,
      );
    },
    reached: () =>
      logs.lines
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as { name: string; method: string; route: string; status: number })
        .filter(({ name }) => name !== 'gateway' && !name.startsWith('gateway-')),
    async close() {
      await stack.close();
      await mongo.close();
      await vhost?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Lets MongoDB delete nothing by itself: what expires between two fingerprints would look like a write. */
async function keepExpired(database: mongoose.mongo.Db): Promise<void> {
  const never = 2 ** 31 - 1;
  for (const collection of await database.collections())
    for (const { name, expireAfterSeconds } of await collection.indexes())
      if (expireAfterSeconds !== undefined)
        await database.command({
          collMod: collection.collectionName,
          index: { name, expireAfterSeconds: never },
        });
}
