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
  const claims = await Promise.all(Array.from({ length: 20 }, () => keys.claim('key', 'body', null)));
  const mine = claims.find((claim) => claim.mine);
  expect(claims.filter((claim) => claim.mine)).toHaveLength(1);
  expect(new Set(claims.map(({ seed }) => seed)).size).toBe(1);
  expect(new Set(claims.map(({ holder }) => holder))).toEqual(new Set([mine?.holder]));
});

it('keeps the answer of the holder only, and no attempt gets the key after that', async () => {
  const { holder } = await keys.claim('key', 'body', null);
  await keys.keep('key', holder, 'sealed');
  await keys.keep('key', 'somebody else', 'another answer');
  await keys.release('key', holder);
  expect((await collection().findOne({})).leaseUntil.getTime()).toBeGreaterThan(0);
  await collection().updateOne({ _id: 'key' }, { $set: { leaseUntil: new Date(0) } });
  expect(await keys.claim('key', 'body', null)).toMatchObject({ mine: false, answer: 'sealed', fingerprint: 'body' });
});

it('gives a key that was released, or whose lease is over, to the next attempt with the same seed', async () => {
  const first = await keys.claim('key', 'body', null);
  await keys.release('key', first.holder);
  const second = await keys.claim('key', 'body', null);
  expect(second).toMatchObject({ mine: true, seed: first.seed, answer: null });
  expect(second.holder).not.toBe(first.holder);
  await collection().updateOne({ _id: 'key' }, { $set: { leaseUntil: new Date(Date.now() - 1) } });
  expect(await keys.claim('key', 'body', null)).toMatchObject({ mine: true, seed: first.seed });
});

it('never gives a key to a request with another body', async () => {
  const { holder } = await keys.claim('key', 'body', null);
  await keys.release('key', holder);
  expect(await keys.claim('key', 'other', null)).toMatchObject({ mine: false, fingerprint: 'body' });
});

it('is kept for 24 h by an index that MongoDB clears', async () => {
  await keys.claim('key', 'body', null);
  const { expiresAt } = await collection().findOne({});
  expect(Math.abs(expiresAt - Date.now() - 24 * 60 * 60 * 1000)).toBeLessThan(60_000);
  expect(await collection().indexes()).toMatchObject([
    { name: '_id_' },
    { name: 'expiresAt_1', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ]);
});

it('are so many a day for each owner, and those who have none left disturb nobody', async () => {
  const few = await openIdempotencyKeys(database, 3);
  const claims = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => few.claim(`key-${at}`, 'body', 'ada')));
  const refused = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []));
  expect(refused).toHaveLength(5);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'too_many_idempotency_keys', kind: 'throttled' });
  expect(refused[0].retryAfterSeconds).toBeGreaterThan(0);
  expect(refused[0].retryAfterSeconds).toBeLessThanOrEqual(24 * 60 * 60);
  expect(await collection().countDocuments()).toBe(3);
  const [known] = await collection().find().toArray();
  expect(await few.claim(known._id, 'body', 'ada')).toMatchObject({ mine: false });
  expect(await few.claim('key-a', 'body', 'grace')).toMatchObject({ mine: true });
  expect(await few.claim('key-b', 'body', null)).toMatchObject({ mine: true });
});
