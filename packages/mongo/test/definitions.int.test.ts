import { changed, defineEvent, deleted, fact } from '@storefront/contracts';
import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  checkStoredDocuments,
  collectionOf,
  byId,
  defineCollection,
  openCollections,
  openErasedUsers,
  openIdempotencyKeys,
  openLease,
  openRepository,
  noRelay,
  withEvents,
} from '../src/index.ts';

const things = defineCollection(
  'things',
  {
    name: z.string(),
    type: z.enum(['big', 'small']).nullable(),
    count: z.int(),
    weight: z.number(),
    isNew: z.boolean(),
    at: z.date(),
    tags: z.array(z.string()),
    lines: z.array(z.object({ type: z.string(), amount: z.int().nullable() })),
    address: z.object({ city: z.string(), geo: z.object({ lat: z.number() }) }).nullable(),
    prices: z.record(z.string(), z.object({ amount: z.int() })),
    counts: z.record(z.string(), z.array(z.int())),
    data: z.custom<Readonly<Record<string, unknown>>>(),
    note: z.string().optional(),
    seenAt: z.date().nullable().optional(),
  },
  {
    sharding: byId,
    indexes: {
      newest: { keys: { at: -1, _id: -1 } },
      name_1: { keys: { name: 1 }, unique: true, partialFilterExpression: { name: { $gt: '' } } },
      kept: { keys: { at: 1 }, expireAfterSeconds: 60 },
    },
  },
);
const turns = defineCollection('turns', { _id: z.int() }, { sharding: byId });
const sold = defineEvent('test.sold', 'It was sold.', z.object({}));

const thing = {
  name: '',
  type: 'big' as const,
  count: 1,
  weight: 1.5,
  isNew: false,
  at: new Date(0),
  tags: [],
  lines: [
    { type: 'a', amount: null },
    { type: 'b', amount: 3 },
  ],
  address: { city: 'Bath', geo: { lat: 51.4 } },
  prices: { GBP: { amount: 3 } },
  counts: { a: [1, 2] },
  data: { anything: [1, { goes: null }] },
};

let place: ReturnType<typeof freshDatabase>;
let database: mongoose.Connection;
beforeEach(async () => {
  place = freshDatabase('definitions');
  database = await mongoose.createConnection(place.url).asPromise();
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

/** Stores whatever it is given. */
const store = (...documents: object[]) => collectionOf<any>(database, 'things').insertMany(documents);
const check = () => checkStoredDocuments(database, [things, turns]);

describe('opened collections', () => {
  it('exist, with the indexes of their definitions under their names', async () => {
    await openCollections(database, [things, turns]);
    const indexes = await collectionOf(database, things).indexes();
    expect(indexes.map(({ v: _v, ...index }) => index)).toEqual([
      { name: '_id_', key: { _id: 1 } },
      { name: 'newest', key: { at: -1, _id: -1 } },
      { name: 'name_1', key: { name: 1 }, unique: true, partialFilterExpression: { name: { $gt: '' } } },
      { name: 'kept', key: { at: 1 }, expireAfterSeconds: 60 },
    ]);
    const names = await database.getClient().db(database.name).listCollections({}, { nameOnly: true }).toArray();
    expect(names.map(({ name }) => name).toSorted()).toEqual(['things', 'turns']);
  });

  it('stay as they are when they are opened again, by several at once, and where MongoDB named the index', async () => {
    await collectionOf(database, things).createIndex(
      { name: 1 },
      { unique: true, partialFilterExpression: { name: { $gt: '' } } },
    );
    await Promise.all([1, 2, 3].map(() => openCollections(database, [things, turns])));
    await openCollections(database, [things, turns]);
    expect(await collectionOf(database, things).indexes()).toHaveLength(4);
  });

  it('have the indexes of the relay where their documents have an outbox', async () => {
    const orders = defineCollection('orders', { ...withEvents }, { sharding: byId });
    await openCollections(database, [orders]);
    const indexes = await collectionOf(database, orders).indexes();
    expect(indexes.map(({ name, key, partialFilterExpression: partial }) => ({ name, key, partial })).slice(1)).toEqual(
      [
        { name: 'outbox_types', key: { 'outbox.type': 1, _id: 1 }, partial: { 'outbox.0': { $exists: true } } },
        { name: 'tombstones', key: { deletedAt: 1 }, partial: { deletedAt: { $exists: true } } },
      ],
    );
  });
});

describe('the check of stored documents', () => {
  it('finds nothing wrong with documents that are as they are defined', async () => {
    await store(
      { _id: 'a', ...thing },
      { _id: 'b', ...thing, name: 'b', type: null, address: null, note: '', seenAt: null },
    );
    await collectionOf(database, turns).insertOne({ _id: 3 });
    await openErasedUsers({ database, now: () => new Date() }).add(['usr_1']);
    const logger = pino({ level: 'silent' });
    const lease = await openLease({ database, logger });
    await openIdempotencyKeys({ database, lease, logger }).then((keys) => keys.claim('key', 'fingerprint', null));
    expect(await check()).toEqual([]);
    await lease.close();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown field', { extra: 1 }, 'extra: is not in the definition'],
    [
      'an unknown field of an object',
      { address: { ...thing.address, zip: '' } },
      'address.zip: is not in the definition',
    ],
    [
      'an unknown field within an array',
      { lines: [{ ...thing.lines[0], id: 1 }] },
      'lines[].id: is not in the definition',
    ],
    ['a missing field', { name: undefined }, 'name: is missing'],
    ['a missing field that may be null', { type: undefined }, 'type: is missing'],
    ['a missing field of an object', { address: { city: 'Bath' } }, 'address.geo: is missing'],
    ['a missing field within an array', { lines: [{ type: 'a' }] }, 'lines[].amount: is missing'],
    ['a missing array', { tags: undefined }, 'tags: is missing'],
    ['null', { name: null }, 'name: is null'],
    ['null in a field that may only be missing', { note: null }, 'note: is null'],
    ['null in an array', { lines: [null] }, 'lines[]: is null'],
    ['a number as text', { count: '1' }, 'count: expected Integer, found string'],
    ['a fraction', { count: 1.5 }, 'count: expected Integer, found number'],
    ['text as a number', { name: 1 }, 'name: expected String, found number'],
    ['a time as text', { at: '1970-01-01T00:00:00.000Z' }, 'at: expected Date, found string'],
    ['a truth as a number', { isNew: 0 }, 'isNew: expected Boolean, found number'],
    ['another word', { type: 'huge' }, 'type: huge is not one of its words'],
    ['one value as an array', { tags: 'a' }, 'tags: expected Array, found string'],
    ['another element', { tags: ['a', 1] }, 'tags[]: expected String, found number'],
    ['an array as an object', { address: [] }, 'address: expected Object, found Array'],
    ['another value of a record', { prices: { GBP: 3 } }, 'prices.*: expected Object, found number'],
    [
      'another value within a record',
      { prices: { GBP: { amount: 'x' } } },
      'prices.*.amount: expected Integer, found string',
    ],
    ['another element within a record', { counts: { a: [null] } }, 'counts.*[]: is null'],
  ])('finds %s', async (_name, fields, finding) => {
    const document = Object.entries({ _id: 'a', ...thing, ...fields }).filter(([, value]) => value !== undefined);
    await store(Object.fromEntries(document));
    expect(await check()).toEqual([`things.${finding} (1 document, such as a)`]);
  });

  it('names each finding once, however many documents have it', async () => {
    await store(...['a', 'b', 'c'].map((_id) => ({ _id, ...thing, more: 1, name: 2 })));
    expect(await check()).toEqual([
      'things.more: is not in the definition (3 documents, such as a)',
      'things.name: expected String, found number (3 documents, such as a)',
    ]);
  });

  it('finds another type of id, and collections that nobody defined', async () => {
    await collectionOf<any>(database, 'turns').insertOne({ _id: 'three' });
    await collectionOf<any>(database, 'others').insertOne({ _id: 'a' });
    expect(await check()).toEqual([
      'others: the collection has no definition',
      'turns._id: expected Integer, found string (1 document, such as three)',
    ]);
  });

  it('takes the documents of a repository, and also what is left of deleted ones', async () => {
    const orders = defineCollection('orders', { ...withEvents, total: z.int() }, { sharding: byId });
    await openCollections(database, [orders]);
    const repository = openRepository<{ readonly id: string; readonly total: number }>(orders, {
      database,
      relay: noRelay,
      now: () => new Date(),
    });
    for (const id of ['a', 'b', 'c'])
      await repository.change(id, () => changed({ id, total: 1 }, [fact(sold, id, {})]));
    await repository.change('b', () => deleted([fact(sold, 'b', {})], null));
    await repository.eraseMany({ _id: 'c' });
    expect(await repository.collection.countDocuments()).toBe(3);
    expect(await checkStoredDocuments(database, [orders])).toEqual([]);
    await repository.collection.updateOne({ _id: 'c' }, { $set: { total: 'x' as unknown as number } });
    await repository.collection.updateOne({ _id: 'a' }, { $set: { 'outbox.0.sequence': 'x' } as object });
    expect(await checkStoredDocuments(database, [orders])).toEqual([
      'orders.outbox[].sequence: expected Integer, found string (1 document, such as a)',
      'orders.total: expected Integer, found string (1 document, such as c)',
    ]);
  });
});
