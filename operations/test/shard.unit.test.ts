import type { ShardKey } from '@storefront/contracts';
import { expect, test } from 'vitest';
import { commandsFor, shard, type ShardCommand, type ShardedCollection } from '../src/shard-steps.ts';
import { shardedCollections } from '../src/sharded-collections.ts';

const users: ShardedCollection = { service: 'identity', collection: 'users', key: { _id: 'hashed' } };
const recipients: ShardedCollection = { service: 'account', collection: 'customers', key: { _id: 1 } };

/** A cluster that records its commands. Tests have no `mongos`. */
function createCluster() {
  const keys = new Map<string, ShardKey>();
  const ran: ShardCommand[] = [];
  return {
    keys,
    ran,
    keyOf: async (namespace: string) => keys.get(namespace) ?? null,
    async run(sent: ShardCommand) {
      ran.push(sent);
      const { shardCollection, key } = sent.command;
      if (shardCollection !== undefined) keys.set(shardCollection as string, key as ShardKey);
    },
  };
}

const shopOf = (service: string) => `shop_${service}`;

test('the index of the key comes before the key, but for the one that every collection has', () => {
  expect(commandsFor('shop_identity', users)).toEqual([
    { database: 'admin', command: { enableSharding: 'shop_identity' } },
    {
      database: 'shop_identity',
      command: { createIndexes: 'users', indexes: [{ key: { _id: 'hashed' }, name: '_id_hashed' }] },
    },
    { database: 'admin', command: { shardCollection: 'shop_identity.users', key: { _id: 'hashed' } } },
  ]);
  expect(commandsFor('account', recipients).map(({ command }) => Object.keys(command)[0])).toEqual([
    'enableSharding',
    'shardCollection',
  ]);
});

test('a second time nothing is done', async () => {
  const cluster = createCluster();
  const first = await Array.fromAsync(shard(cluster, shardedCollections, shopOf));
  expect(new Set(first.map(({ was }) => was))).toEqual(new Set(['made']));
  const before = cluster.ran.length;
  const second = await Array.fromAsync(shard(cluster, shardedCollections, shopOf));
  expect(second.map(({ was }) => was)).toEqual(shardedCollections.map(() => 'there'));
  expect(cluster.ran.length).toBe(before);
});

test('a collection with another key is named and left alone', async () => {
  const cluster = createCluster();
  cluster.keys.set('shop_identity.users', { email: 1 });
  expect(await Array.fromAsync(shard(cluster, [users], shopOf))).toEqual([
    { was: 'differs', what: 'shop_identity.users', detail: 'is spread by {"email":1}, not by {"_id":"hashed"}' },
  ]);
  expect(cluster.ran).toEqual([]);
});
