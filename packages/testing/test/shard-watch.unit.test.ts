import type { StoredCollection } from '@storefront/contracts';
import { expect, test } from 'vitest';
import { createShardWatch } from '../src/shard-watch.ts';

const collections: readonly StoredCollection[] = [
  { name: 'users', sharding: { key: { _id: 'hashed' }, acrossShards: [{ by: ['role'], because: 'a list' }] } },
  { name: 'recipients', sharding: { key: { _id: 1 } } },
  {
    name: 'sessions',
    sharding: { key: { family: 'hashed' }, acrossShards: [{ by: ['_id'], because: 'a user ends it' }] },
  },
  { name: 'jobs', sharding: { unsharded: 'few' } },
];

function findingsOf(name: string, body: Record<string, unknown>): string[] {
  const watch = createShardWatch(collections);
  watch.hear({ name, body });
  return watch.findings();
}

const find = (collection: string, filter: object) => ['find', { find: collection, filter }] as const;
const update = (collection: string, q: object, u: object, more = {}) =>
  ['update', { update: collection, updates: [{ q, u, ...more }] }] as const;
const remove = (collection: string, q: object, limit: number) =>
  ['delete', { delete: collection, deletes: [{ q, limit }] }] as const;
const aggregate = (collection: string, pipeline: readonly object[]) =>
  ['aggregate', { aggregate: collection, pipeline }] as const;

test.each([
  ['a read by the id', ...find('users', { _id: 'a', version: 1 })],
  ['a read by some ids, besides', ...find('users', { $and: [{ _id: { $in: ['a'] } }, { deletedAt: null }] })],
  ['a read of alternatives with ids', ...find('users', { $or: [{ _id: 'a' }, { _id: 'b' }] })],
  ['a list that is declared', ...find('users', { role: 'trade', status: 'open' })],
  ['ids within bounds, where they are in order', ...find('recipients', { _id: { $gt: 'a/', $lt: 'a0' } })],
  ['a change by the id', ...update('users', { _id: 'a' }, { $set: { role: 'trade' } }, { upsert: true })],
  ['a change by the id where that is declared', ...update('sessions', { _id: 'a' }, { $set: { ended: 1 } })],
  ['a deletion of many that is declared', ...remove('users', { role: 'trade' }, 0)],
  ['a pipeline that begins with ids', ...aggregate('users', [{ $match: { _id: 'a' } }, { $limit: 1 }])],
  [
    'a pipeline that adds documents by their ids',
    ...aggregate('jobs', [{ $unionWith: { coll: 'users', pipeline: [{ $match: { _id: 'a' } }] } }]),
  ],
  ['the look of the relay', ...find('users', { 'outbox.0': { $exists: true }, 'outbox.type': 'x' })],
  ['anything where nothing is spread', ...find('jobs', {})],
  ['an insertion with the key', 'insert', { insert: 'sessions', documents: [{ _id: 'a', family: 'f' }] }],
])('leads to the shards of its documents: %s', (_what, name, body) => {
  expect(findingsOf(name, body)).toEqual([]);
});

test.each([
  ['a read by another field', 'no reason is declared', ...find('users', { email: 'e' })],
  ['a read of all', 'no reason is declared', ...find('recipients', {})],
  ['bounds where ids are hashed', 'no reason is declared', ...find('users', { _id: { $gt: 'a', $lt: 'b' } })],
  ['ids from one on', 'no reason is declared', ...find('recipients', { _id: { $gt: 'a' } })],
  ['ids but some', 'no reason is declared', ...find('users', { _id: { $nin: ['a'] } })],
  ['an alternative without an id', 'no reason is declared', ...find('users', { $or: [{ _id: 'a' }, { email: 'e' }] })],
  [
    'a pipeline that matches later',
    'no reason is declared',
    ...aggregate('users', [{ $limit: 1 }, { $match: { _id: 1 } }]),
  ],
  [
    'a look elsewhere',
    'no reason is declared',
    ...aggregate('jobs', [{ $lookup: { from: 'users', foreignField: 'x' } }]),
  ],
  [
    'documents that are added by another field',
    'no reason is declared',
    ...aggregate('jobs', [{ $unionWith: { coll: 'users', pipeline: [{ $match: { email: 'e' } }] } }]),
  ],
  ['a change of one of a list', 'changes one document', ...update('users', { role: 'trade' }, { $set: { a: 1 } })],
  [
    'an upsert by another id',
    'changes one document',
    ...update('sessions', { _id: 'a' }, { $set: { a: 1 } }, { upsert: true }),
  ],
  ['another key', 'changes the shard key', ...update('sessions', { family: 'f' }, { $set: { family: 'g' } })],
  ['a key taken away', 'changes the shard key', ...update('sessions', { family: 'f' }, [{ $unset: 'family' }])],
  [
    'an insertion without the key',
    'without the shard key',
    'insert',
    { insert: 'sessions', documents: [{ _id: 'a' }] },
  ],
  ['a collection that nobody declared', 'is not among', ...find('letters', { _id: 'a' })],
])('is found: %s', (_what, fault, name, body) => {
  expect(findingsOf(name, body)).toEqual([expect.stringContaining(fault)]);
});
