import { changed, deleted } from '@storefront/contracts';
import { eventually, freshDatabase, memoryLogger, startProxy } from '@storefront/testing';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  byId,
  defineCollection,
  inTransaction,
  openCollections,
  openDatabase,
  openIdempotencyKeys,
  openLease,
  openRepository,
  openStepBatches,
  versioned,
  type Database,
  type Lease,
} from '../src/index.ts';
import { runHolder } from './programs/run-holder.ts';

const place = freshDatabase('keys');
const logger = pino({ level: 'silent' });
const [leaseMs, beatMs] = [4000, 300];
let database: Database;
let lease: Lease;
let keys: Awaited<ReturnType<typeof openIdempotencyKeys>>;
const collection = () => database.getClient().db(database.name).collection<any>('idempotency_keys');
beforeAll(async () => {
  database = await openDatabase(place.url, logger);
  lease = await openLease({ database, logger, leaseMs, beatMs });
  keys = await openIdempotencyKeys({ database, lease, logger });
});
beforeEach(() => collection().deleteMany({}));
afterAll(async () => {
  keys.close();
  await lease.close();
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
  keys.release('key', holder);
  await collection().updateOne({ _id: 'key' }, { $set: { holder: '' } });
  expect(await keys.claim('key', 'body', null)).toMatchObject({ mine: false, answer: 'sealed', fingerprint: 'body' });
});

it('gives a key that was released to the next attempt with the same seed', async () => {
  const first = await keys.claim('key', 'body', null);
  keys.release('key', first.holder);
  const second = await eventually(async () => {
    const claimed = await keys.claim('key', 'body', null);
    return claimed.mine ? claimed : null;
  }, 'the key to be free');
  expect(second).toMatchObject({ seed: first.seed, answer: null });
  expect(second.holder).not.toBe(first.holder);
  keys.release('key', first.holder);
  expect(await keys.claim('key', 'body', null)).toMatchObject({ mine: false, holder: second.holder });
});

it('gives the key of a process that was killed to the next attempt', async () => {
  const { child } = await runHolder({ url: place.url, leaseMs, beatMs, key: 'key' });
  const { seed } = await collection().findOne({ _id: 'key' });
  expect(await keys.claim('key', 'body', null)).toMatchObject({ mine: false });
  child.kill('SIGKILL');
  expect(await keys.claim('key', 'body', null)).toMatchObject({ mine: false });
  const claims = await eventually(
    async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => keys.claim('key', 'body', null)));
      return all.some(({ mine }) => mine) ? all : null;
    },
    'the key of the killed process',
    60_000,
  );
  expect(claims.filter(({ mine }) => mine)).toMatchObject([{ seed }]);
});

it('releases keys once the database is back, and complains once', async () => {
  const proxy = await startProxy(place.url);
  const options = { directConnection: true, serverSelectionTimeoutMS: 200 };
  const own = await mongoose.createConnection(proxy.url, options).asPromise();
  const logged = memoryLogger();
  const cutOff = await openIdempotencyKeys({ database: own, lease, logger: logged.logger });
  try {
    const many = Array.from({ length: 30 }, (_, at) => `key-${at}`);
    const claimed = await Promise.all(many.map((id) => cutOff.claim(id, 'body', null)));
    proxy.refuse();
    proxy.cut();
    for (const [at, { holder }] of claimed.entries()) cutOff.release(`key-${at}`, holder);
    const complaints = () => logged.lines.filter((line) => line.includes('idempotency keys were not released'));
    await eventually(() => complaints().length > 0, 'the first tries to fail');
    const until = performance.now() + 1500;
    await eventually(() => performance.now() > until, 'some more tries to fail');
    expect(await keys.claim('key-0', 'body', null)).toMatchObject({ mine: false });
    proxy.accept();
    await eventually(async () => (await collection().countDocuments({ holder: '' })) === 30, 'the keys to be released');
    expect(complaints()).toHaveLength(1);
  } finally {
    cutOff.close();
    await own.close();
    await proxy.close();
  }
});

it('releases a key that a write took whose answer was lost, also where it comes late', async () => {
  const own = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  const patient = await openIdempotencyKeys({ database: own, lease, logger, lookAgainMs: 3000 });
  const { holder } = await patient.claim('key', 'body', null);
  const late = await collection().findOneAndDelete({ _id: 'key' });
  let looks = 0;
  own.getClient().on('commandSucceeded', ({ commandName }) => (looks += commandName === 'update' ? 1 : 0));
  patient.release('key', holder);
  await eventually(() => looks === 1, 'the first look');
  await collection().insertOne(late);
  expect(await eventually(async () => (await keys.claim('key', 'body', null)).mine, 'the key to be free')).toBe(true);
  patient.close();
  await own.close();
});

it('never gives a key to a request with another body', async () => {
  const { holder } = await keys.claim('key', 'body', null);
  keys.release('key', holder);
  await eventually(() => collection().findOne({ _id: 'key', holder: '' }), 'the key to be free');
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
  const few = await openIdempotencyKeys({ database, lease, logger, keysADay: 3 });
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

it('lets an attempt write nothing more once its instance has lost its lease, and only that attempt', async () => {
  const definition = defineCollection('things', { ...versioned, word: z.string() }, { sharding: byId });
  await openCollections(database, [definition]);
  const things = openRepository<{ readonly id: string; readonly word: string }>(definition, { database });
  const thing = (id: string, word: string) => ({ id, word });
  await things.insertNew([{ state: thing('kept', 'before'), facts: [] }]);
  const write = (id: string, word: string) => things.change(id, () => changed(thing(id, word), [], null));
  const { holder } = await keys.claim('key', 'body', null);

  const later = Promise.withResolvers<null>();
  const begun: Promise<unknown>[] = [];
  const changeInBatch = openStepBatches<string, unknown>((steps) =>
    inTransaction(database, (transaction) => {
      for (const { item, owns } of steps) owns([item]);
      const ids = steps.map(({ item }) => item);
      return things.changeAll(transaction, ids, (id) => changed(thing(id, 'late'), [], null));
    }),
  );
  await keys.whileHeld(holder, async () => {
    await write('kept', 'while it was held');
    begun.push(later.promise.then(() => write('kept', 'in the background')));
    const former = lease.holder;
    await database.getClient().db(database.name).collection<any>('instances').deleteOne({ _id: former });
    await eventually(() => lease.holder !== former && lease.isHeld(lease.holder), 'the loss to be seen');
    const late: (() => Promise<unknown>)[] = [
      () => write('kept', 'late'),
      () => write('new', 'late'),
      () => things.change('kept', () => deleted([], null)),
      () => things.insertNew([{ state: thing('new', 'late'), facts: [] }]),
      () => things.eraseMany({}),
      () =>
        inTransaction(database, (transaction) =>
          things.changeAll(transaction, ['kept'], (id) => changed(thing(id, 'late'), [], null)),
        ),
      // A transaction for several requests, this one among them.
      () => changeInBatch('kept'),
    ];
    for (const work of late) await expect(work()).rejects.toThrow('another attempt may have taken over');
    expect(await things.load('kept')).toMatchObject({ state: { word: 'while it was held' } });
  });
  expect(await things.load('new')).toBeNull();

  later.resolve(null);
  await Promise.all(begun);
  expect(await things.load('kept')).toMatchObject({ state: { word: 'in the background' } });

  const next = await keys.claim('another key', 'body', null);
  await keys.whileHeld(next.holder, () => write('kept', 'by the next lease'));
  expect(await things.load('kept')).toMatchObject({ state: { word: 'by the next lease' } });
});
