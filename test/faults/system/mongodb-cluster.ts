import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type Reaper } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import mongoose from 'mongoose';
import type { ClusterRole, RigServer } from './backing.ts';
import { startNode } from './cluster-node.ts';

const { MongoClient } = mongoose.mongo;
const startTimeoutMs = 60_000;
const electionTimeoutMs = 60_000;

/** Starts a replica set of three. */
export async function startMongodbCluster(options: { binary: string; dataDir: string; reaper: Reaper }) {
  const { binary, dataDir, reaper } = options;
  const ports: number[] = [];
  while (ports.length < 3) ports.push(await freePort(ports));
  const members = await Promise.all(
    ports.map(async (port, at) => {
      const folder = join(dataDir, `db-${at + 1}`);
      await mkdir(folder, { recursive: true });
      const logFile = join(dataDir, `mongod-${at + 1}.log`);
      const node = await startNode({ command: binary, args: argumentsOf(folder, port), logFile, reaper }, () =>
        eventually(() => ping(port), 'a MongoDB to answer', startTimeoutMs),
      );
      return { node, port, host: `127.0.0.1:${port}`, name: `mongodb-${at + 1}` };
    }),
  );
  const url = `mongodb://${members.map(({ host }) => host).join(',')}/?replicaSet=rs0`;
  const [first] = ports;
  await initiate(
    first as number,
    members.map(({ host }) => host),
  );
  const primary: ClusterRole = {
    name: 'mongodb-primary',
    group: 'mongodb',
    holder: () => eventually(findPrimary, 'the replica set to have a primary', electionTimeoutMs),
  };
  await primary.holder();

  async function findPrimary(): Promise<string | undefined> {
    const replies = await Promise.all(
      members.map(async ({ port, name }) => {
        const hello = await runCommand(port, { hello: 1 }).catch(() => undefined);
        return { name, isPrimary: hello?.['isWritablePrimary'] === true, election: String(hello?.['electionId']) };
      }),
    );
    // A server that was paused may consider itself the primary until it learns of the newer election.
    const primaries = replies
      .filter(({ isPrimary }) => isPrimary)
      .toSorted((a, b) => (a.election < b.election ? 1 : -1));
    return primaries[0]?.name;
  }

  return {
    url,
    primary,
    servers: members.map(({ node, name }): RigServer => ({
      name,
      group: 'mongodb',
      get pid() {
        return node.pid;
      },
      restart: () => node.restart(),
    })),
    async close() {
      await Promise.all(members.map(({ node }) => node.stop()));
    },
  };
}

function argumentsOf(folder: string, port: number): string[] {
  const required = ['--dbpath', folder, '--port', String(port), '--bind_ip=127.0.0.1', '--nounixsocket'];
  // Small limits, because three servers share one machine.
  const limits = ['--quiet', '--wiredTigerCacheSizeGB=0.3', '--oplogSize=128'];
  const parameters = ['diagnosticDataCollectionEnabled=false', 'transactionLifetimeLimitSeconds=5'];
  return [...required, '--replSet=rs0', ...limits, ...parameters.map((parameter) => `--setParameter=${parameter}`)];
}

async function ping(port: number): Promise<boolean> {
  return runCommand(port, { ping: 1 }).then(() => true);
}

async function initiate(port: number, hosts: readonly string[]): Promise<void> {
  const members = hosts.map((host, _id) => ({ _id, host }));
  await runCommand(port, { replSetInitiate: { _id: 'rs0', members, settings: { electionTimeoutMillis: 2000 } } });
}

async function runCommand(port: number, command: mongoose.mongo.Document): Promise<mongoose.mongo.Document> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
    connectTimeoutMS: 2000,
    socketTimeoutMS: 2000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
