// Shards the collections of all services on a MongoDB cluster.
import { openDatabase, type Database } from '@storefront/mongo';
import { createLogger, loadConfig, readCommandLine } from '@storefront/process';
import type { ShardKey } from '@storefront/contracts';
import type { Command } from '../command.ts';
import { shardConfig } from '../config.ts';
import { commandsFor, shard as spread, type Cluster, type ShardCommand } from '../shard-steps.ts';
import { shardedCollections } from '../sharded-collections.ts';
import { lineOf } from '../steps.ts';

const usage = `Has a sharded cluster of MongoDB spread the collections of all services over its shards, by the keys that they
declare; to be run before the services start. It can be run again: what is spread already stays as it is. Requires
MONGODB_URL, the address of a mongos. Exits with 1 where a collection is spread by another key.

  --dry-run           prints the commands for mongosh, and asks no database
  --prefix <text>     what the names of the databases begin with before the names of the services, such as shop_
`;

const options = { 'dry-run': { type: 'boolean', default: false }, prefix: { type: 'string', default: '' } } as const;

export const shard: Command = {
  summary: 'has a sharded cluster of MongoDB spread the collections of all services',
  async run(args) {
    const { values } = readCommandLine(usage, options, args);
    const databaseOf = (service: string) => values.prefix + service;
    if (values['dry-run']) {
      const commands = shardedCollections.flatMap((each) => commandsFor(databaseOf(each.service), each));
      // A command that several collections need is printed only once.
      process.stdout.write(`${[...new Set(commands.map(inMongosh))].join('\n')}\n`);
      return;
    }
    const { MONGODB_URL: url } = loadConfig(shardConfig, process.env);
    const database = await openDatabase(url, createLogger('shard', 'error'));
    try {
      for await (const step of spread(await openCluster(database), shardedCollections, databaseOf)) {
        process.stdout.write(lineOf(step));
        if (step.was === 'differs') process.exitCode = 1;
      }
    } finally {
      await database.close();
    }
  },
};

async function openCluster(connection: Database): Promise<Cluster> {
  const client = connection.getClient();
  const { msg, setName } = await client.db('admin').command({ hello: 1 });
  if (msg !== 'isdbgrid') {
    const what = setName === undefined ? 'a single server' : `the replica set ${setName as string}`;
    throw new Error(
      `MONGODB_URL leads to ${what}, not to a mongos of a sharded cluster. Nothing was done; nothing needs to be.`,
    );
  }
  const known = client.db('config').collection<{ _id: string; key: ShardKey }>('collections');
  return {
    run: ({ database, command }) => client.db(database).command(command),
    keyOf: async (namespace) => (await known.findOne({ _id: namespace }))?.key ?? null,
  };
}

function inMongosh({ database, command }: ShardCommand): string {
  return `db.getSiblingDB('${database}').runCommand(${JSON.stringify(command)})`;
}
