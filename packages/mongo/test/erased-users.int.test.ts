import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { erasedUsers, inTransaction, openCollections, openErasedUsers, type ErasedUsers } from '../src/index.ts';

const place = freshDatabase('erased');
const day = 24 * 60 * 60 * 1000;
let database: mongoose.Connection;
let erased: ErasedUsers;
const collection = () => database.getClient().db(database.name).collection<any>('erased_users');
beforeAll(async () => {
  database = await mongoose.createConnection(place.url).asPromise();
  await openCollections(database, [erasedUsers]);
  erased = openErasedUsers({ database, now: () => new Date(0) });
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

it('knows who was erased for 90 days, without keeping the id', async () => {
  expect(await erased.has('usr_1')).toBe(false);
  await erased.add(['usr_1']);
  await erased.add(['usr_1', 'usr_1']);
  await erased.add([]);
  expect([await erased.has('usr_1'), await erased.has('usr_2')]).toEqual([true, false]);
  expect(await collection().find().toArray()).toEqual([
    { _id: expect.stringMatching(/^[\w-]{43}$/), keptUntil: new Date(90 * day) },
  ]);
  expect(await collection().indexes()).toMatchObject([
    { name: '_id_' },
    { name: 'keptUntil_1', key: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ]);
});

it('answers in a transaction by the snapshot of that one', async () => {
  const seen = await inTransaction(database, async (transaction) => {
    const before = await erased.has('usr_3', transaction);
    await erased.add(['usr_3', 'usr_4']);
    return [before, await erased.has('usr_3', transaction), await erased.has('usr_3')];
  });
  expect(seen).toEqual([false, false, true]);
});

it('answers about many at once, by the snapshot of a transaction', async () => {
  const ids = ['usr_5', 'usr_6', 'usr_7'];
  await erased.add(['usr_5', 'usr_7']);
  const [found, none, late] = await inTransaction(database, async (transaction) => {
    const before = await erased.among(ids, transaction);
    await erased.add(['usr_6']);
    return [before, await erased.among([], transaction), await erased.among(ids, transaction)];
  });
  expect([...found].toSorted()).toEqual(['usr_5', 'usr_7']);
  expect([none.size, late.size]).toEqual([0, 2]);
});
