import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openIdempotencyKeys } from '../src/index.ts';

const place = freshDatabase('keys');
let database: mongoose.Connection;
let keys: Awaited<ReturnType<typeof openIdempotencyKeys>>;
const collection = () => database.getClient().db(database.name).collection<any>('idempotency_keys');
beforeAll(async () => {
  database = await mongoose.createConnection(place.url).asPromise();
  keys = await openIdempotencyKeys(database);
});
beforeEach(() => collection().deleteMany({}));
afterAll(async () => {
  await database.close();
  await place.drop();
});

it('gives a key to one of many who claim it at once, and shows the others what is kept', async () => {
  const claims = await Promise.all(Array.from({ length: 20 }, () => keys.claim('key', 'body')));
  const mine = claims.find((claim) => claim.mine);
  expect(claims.filter((claim) => claim.mine)).toHaveLength(1);
  expect(new Set(claims.map(({ seed }) => seed)).size).toBe(1);
  expect(new Set(claims.map(({ holder }) => holder))).toEqual(new Set([mine?.holder]));
});

it('keeps the answer of the holder only, and no attempt gets the key after that', async () => {
  const { holder } = await keys.claim('key', 'body');
  await keys.keep('key', holder, 'sealed');
  await keys.keep('key', 'somebody else', 'another answer');
  await keys.release('key', holder);
  expect((await collection().findOne({})).leaseUntil.getTime()).toBeGreaterThan(0);
  await collection().updateOne({ _id: 'key' }, { $set: { leaseUntil: new Date(0) } });
  expect(await keys.claim('key', 'body')).toMatchObject({ mine: false, answer: 'sealed', fingerprint: 'body' });
});

it('gives a key that was released, or whose lease is over, to the next attempt with the same seed', async () => {
  const first = await keys.claim('key', 'body');
  await keys.release('key', first.holder);
  const second = await keys.claim('key', 'body');
  expect(second).toMatchObject({ mine: true, seed: first.seed, answer: null });
  expect(second.holder).not.toBe(first.holder);
  await collection().updateOne({ _id: 'key' }, { $set: { leaseUntil: new Date(Date.now() - 1) } });
  expect(await keys.claim('key', 'body')).toMatchObject({ mine: true, seed: first.seed });
});

it('never gives a key to a request with another body', async () => {
  const { holder } = await keys.claim('key', 'body');
  await keys.release('key', holder);
  expect(await keys.claim('key', 'other')).toMatchObject({ mine: false, fingerprint: 'body' });
});

it('is kept for 24 h by an index that MongoDB clears', async () => {
  await keys.claim('key', 'body');
  const { expiresAt } = await collection().findOne({});
  expect(Math.abs(expiresAt - Date.now() - 24 * 60 * 60 * 1000)).toBeLessThan(60_000);
  expect(await collection().indexes()).toMatchObject([
    { name: '_id_' },
    { name: 'expiresAt_1', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ]);
});
