import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@storefront/backing';
import type { Reaper } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import mongoose from 'mongoose';
import type { Breakable } from './backing.ts';
import { startNode } from './node-process.ts';

const { MongoClient } = mongoose.mongo;
const startMs = 60_000;

/** A replica set of three. */
export async function startMongodbCluster(options: { binary: string; dataDir: string; reaper: Reaper }) {
  const { binary, dataDir, reaper } = options;
  const ports: number[] = [];
  while (ports.length < 3) ports.push(await freePort(ports));
  const members = await Promise.all(
    ports.map(async (port, at) => {
      const folder = join(dataDir, `db-${at + 1}`);
      await mkdir(folder, { recursive: true });
      const node = await startNode({
        command: binary,
        args: argumentsOf(folder, port),
        logFile: join(dataDir, `mongod-${at + 1}.log`),
        reaper,
        isReady: () => eventually(() => ping(port), 'a MongoDB to answer', startMs),
      });
      return { node, host: `127.0.0.1:${port}` };
    }),
  );
  const url = `mongodb://${members.map(({ host }) => host).join(',')}/?replicaSet=rs0`;
  const [first] = ports;
  await initiate(
    first as number,
    members.map(({ host }) => host),
  );
  const watcher = new MongoClient(url);
  let primary: string | undefined;
  watcher.on('topologyDescriptionChanged', ({ newDescription }) => {
    primary = [...newDescription.servers.values()].find(({ type }) => type === 'RSPrimary')?.address;
  });
  await watcher.connect();
  await watcher.db('admin').command({ ping: 1 });

  return {
    url,
    servers: members.map(({ node, host }, at): Breakable => ({
      name: `mongodb-${at + 1}`,
      group: 'mongodb',
      get pid() {
        return node.pid;
      },
      role: () => (primary === host ? ' (the primary)' : ''),
      restart: () => node.restart(),
    })),
    async close() {
      await watcher.close();
      await Promise.all(members.map(({ node }) => node.stop()));
    },
  };
}

function argumentsOf(folder: string, port: number): string[] {
  const place = ['--dbpath', folder, '--port', String(port), '--bind_ip=127.0.0.1', '--nounixsocket'];
  // Three of them share a machine that has other things to do.
  const modest = ['--quiet', '--wiredTigerCacheSizeGB=0.3', '--oplogSize=128'];
  return [...place, '--replSet=rs0', ...modest, '--setParameter=diagnosticDataCollectionEnabled=false'];
}

async function ping(port: number): Promise<boolean> {
  return ask(port, { ping: 1 }).then(() => true);
}

async function initiate(port: number, hosts: readonly string[]): Promise<void> {
  const members = hosts.map((host, _id) => ({ _id, host }));
  await ask(port, { replSetInitiate: { _id: 'rs0', members, settings: { electionTimeoutMillis: 2000 } } });
}

async function ask(port: number, command: mongoose.mongo.Document): Promise<mongoose.mongo.Document> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
