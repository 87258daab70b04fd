import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@storefront/backing';
import type { Reaper } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import mongoose from 'mongoose';
import type { Breakable, Role } from './backing.ts';
import { startNode } from './node-process.ts';

const { MongoClient } = mongoose.mongo;
const startMs = 60_000;
const electionMs = 60_000;

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
      return { node, port, host: `127.0.0.1:${port}`, name: `mongodb-${at + 1}` };
    }),
  );
  const url = `mongodb://${members.map(({ host }) => host).join(',')}/?replicaSet=rs0`;
  const [first] = ports;
  await initiate(
    first as number,
    members.map(({ host }) => host),
  );
  const primary: Role = {
    name: 'mongodb-primary',
    group: 'mongodb',
    player: () => eventually(findPrimary, 'the replica set to have a primary', electionMs),
  };
  await primary.player();

  async function findPrimary(): Promise<string | undefined> {
    const said = await Promise.all(
      members.map(async ({ port, name }) => {
        const hello = await ask(port, { hello: 1 }).catch(() => undefined);
        return { name, isPrimary: hello?.['isWritablePrimary'] === true, election: String(hello?.['electionId']) };
      }),
    );
    // One that was halted may hold itself for the primary until it hears of the newer election.
    const claims = said.filter(({ isPrimary }) => isPrimary).toSorted((a, b) => (a.election < b.election ? 1 : -1));
    return claims[0]?.name;
  }

  return {
    url,
    primary,
    servers: members.map(({ node, name }): Breakable => ({
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
    connectTimeoutMS: 2000,
    socketTimeoutMS: 2000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
