import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';

const name = 'rs0';

/**
 * The number of threads that remove pages from MongoDB's cache, 4 by default: at most half of the processors, so that
 * the others can serve requests. On two processors, four such threads stop everything else for tens of milliseconds,
 * about once a second while there are many writes.
 */
const evictionThreads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/** The arguments of every started `mongod`: member of a replica set, with low use of memory and disk. */
export const mongodArguments: readonly string[] = [
  '--replSet',
  name,
  // After a process was killed, data that its transaction wrote stays locked for this time, 60 s by default. The
  // services' own transactions take only some milliseconds.
  '--setParameter=transactionLifetimeLimitSeconds=5',
  '--quiet',
  '--wiredTigerCacheSizeGB=0.5',
  // The cache may hold many changes until the next checkpoint: by default these threads begin at 5 percent of it, and then
  // walk through every table again and again.
  `--wiredTigerEngineConfigString=eviction=(threads_min=${evictionThreads},threads_max=${evictionThreads}),eviction_dirty_target=40,eviction_dirty_trigger=60`,
  // Nobody reads what was there minutes ago. Dropped collections keep their files for this time, 300 s by default.
  '--setParameter=minSnapshotHistoryWindowInSeconds=5',
  '--oplogSize=256',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  // A primary without secondaries does not have to wait before it stops.
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=0',
];

/** Returns the replica set's address for clients. */
export const replicaSetUrl = (port: number): string => `mongodb://127.0.0.1:${port}/?replicaSet=${name}`;

/**
 * Makes the server at `address` the only member of its replica set and waits until it is the primary. `host` is the
 * address at which the server reaches itself, by default `address`. If the data was used with another address before,
 * the replica set is reconfigured.
 */
export async function becomePrimary(address: string, signal: AbortSignal, host = address): Promise<void> {
  const client = new mongoose.mongo.MongoClient(`mongodb://${address}`, {
    directConnection: true,
    serverSelectionTimeoutMS: 500,
  });
  try {
    await retryUntilSuccess(() => client.connect(), signal);
    const admin = client.db('admin');
    const { me, setName, isWritablePrimary } = await admin.command({ hello: 1 });
    if (isWritablePrimary && me === host) return;
    if (setName === undefined || me !== host) await configure(admin, host);
    await retryUntilSuccess(async () => {
      const { isWritablePrimary } = await admin.command({ hello: 1 });
      if (!isWritablePrimary) throw new Error('not the primary yet');
    }, signal);
  } finally {
    await client.close();
  }
}

async function configure(admin: mongoose.mongo.Db, host: string): Promise<void> {
  const members = [{ _id: 0, host }];
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    if (config.members.length === 1 && config.members[0].host === host) return;
    await admin.command({ replSetReconfig: { ...config, members, version: config.version + 1 }, force: true });
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError) || error.codeName !== 'NotYetInitialized') throw error;
    await admin.command({ replSetInitiate: { _id: name, members } });
  }
}

async function retryUntilSuccess(attempt: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await attempt();
      return;
    } catch {
      await wait(20);
    }
  }
}
