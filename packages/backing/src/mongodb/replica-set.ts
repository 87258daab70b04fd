import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';

const name = 'rs0';

/**
 * Of the four threads by which MongoDB takes pages out of its cache, as many as leave half of the processors to requests: on two
 * processors four of them hold up everything else for tens of milliseconds, about once a second of many writes.
 */
const evictionThreads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/** The arguments of every `mongod`: a member of the replica set, with low memory and disk use. */
export const mongodArguments: readonly string[] = [
  '--replSet',
  name,
  // What the transaction of a process that was killed has written stays locked for so long, 60 s by default. Those of the
  // services take some milliseconds.
  '--setParameter=transactionLifetimeLimitSeconds=5',
  '--quiet',
  '--wiredTigerCacheSizeGB=0.5',
  `--wiredTigerEngineConfigString=eviction=(threads_min=${evictionThreads},threads_max=${evictionThreads})`,
  '--oplogSize=256',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  // A primary without secondaries need not wait before it stops.
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=0',
];

/** The replica set's address for clients. */
export const replicaSetUrl = (port: number): string => `mongodb://127.0.0.1:${port}/?replicaSet=${name}`;

/**
 * Makes the server at `address` the only member of its replica set and waits until it is the primary. `host` is the address
 * by which the server reaches itself, that of clients by default. If the data was used with another one before, the replica
 * set is reconfigured.
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
