import { eventually, freshDatabase, startProxy, type TcpProxy } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  checkDatabase,
  collectionOf,
  countByIndex,
  databaseRefusal,
  byId,
  defineCollection,
  inTransaction,
  isDatabaseAway,
  openCollections,
  type Collection,
} from '../src/index.ts';

interface Thing {
  _id: string;
}

let place: ReturnType<typeof freshDatabase>;
let proxy: TcpProxy;
let database: mongoose.Connection;
let things: Collection<Thing>;
beforeEach(async () => {
  place = freshDatabase('limit');
  proxy = await startProxy(place.url);
  // No time-outs of the driver's own: then it waits for ever.
  database = await mongoose
    .createConnection(proxy.url, { directConnection: true, heartbeatFrequencyMS: 60_000 })
    .asPromise();
  things = collectionOf<Thing>(database, 'things');
  await things.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
});
afterEach(async () => {
  vi.useRealTimers();
  proxy.accept();
  await database.close(true);
  await proxy.close();
  await place.drop();
});

const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** From here on MongoDB's answers never arrive, and time passes only by `pass`. */
function loseAnswers(): { pass(milliseconds: number): Promise<unknown> } {
  proxy.hold();
  if (!vi.isFakeTimers()) stopTime();
  return { pass: (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds) };
}

/** How a command ends, once it does. */
function follow(command: Promise<unknown>): { outcome: unknown } {
  const followed: { outcome: unknown } = { outcome: 'waiting' };
  command.then(
    (answer) => (followed.outcome = answer),
    (error: unknown) => (followed.outcome = error),
  );
  return followed;
}

const commands: Record<string, () => Promise<unknown>> = {
  'a read': () => things.findOne({ _id: 'a' }),
  'a write': () => things.updateOne({ _id: 'a' }, { $set: {} }, { upsert: true }),
  'several writes': () => things.bulkWrite([{ deleteOne: { filter: { _id: 'x' } } }]),
  'a list': () => things.find().sort({ _id: 1 }).limit(2).toArray(),
  'a cursor': () => things.find().next(),
  'a pipeline': () => things.aggregate([{ $match: {} }]).toArray(),
  'a count': () => countByIndex(database, 'things', { filter: {}, hint: '_id_', limit: 10 }),
};

describe.each(Object.keys(commands))('%s', (name) => {
  it('that MongoDB never answers fails after 30 s as the database being away', async () => {
    const time = loseAnswers();
    const followed = follow((commands[name] as () => Promise<unknown>)());
    await time.pass(29_900);
    expect(followed.outcome).toBe('waiting');
    await time.pass(200);
    expect(followed.outcome).toBeInstanceOf(mongoose.mongo.MongoOperationTimeoutError);
    expect(isDatabaseAway(followed.outcome)).toBe(true);
    expect(databaseRefusal(followed.outcome)).toMatchObject({ code: 'database_unavailable', retryAfterSeconds: 1 });
  });
});

it('creates no collection when MongoDB never answers, and says after 1.5 s that the database is not ready', async () => {
  const time = loseAnswers();
  const opening = follow(openCollections(database, [defineCollection('others', {}, { sharding: byId })]));
  const checking = follow(checkDatabase(database));
  await time.pass(1600);
  expect(checking.outcome).toMatchObject({ ok: false });
  expect(opening.outcome).toBe('waiting');
  await time.pass(28_600);
  expect(isDatabaseAway(opening.outcome)).toBe(true);
});

it('waits for an index as long as it takes to be built', async () => {
  const own = await mongoose
    .createConnection(proxy.url, {
      directConnection: true,
      heartbeatFrequencyMS: 60_000,
      socketTimeoutMS: 300,
      retryReads: false,
      monitorCommands: true,
    })
    .asPromise();
  const read = () => own.getClient().db(own.name).collection('things').findOne();
  // So that there is a second connection when answers are lost.
  await Promise.all([read(), read(), read()]);
  const lost = Promise.withResolvers<ReturnType<typeof loseAnswers>>();
  own.getClient().on('commandStarted', ({ commandName }) => {
    if (commandName === 'createIndexes') lost.resolve(loseAnswers());
  });
  const opening = follow(
    openCollections(own, [defineCollection('big', {}, { sharding: byId, indexes: { at: { keys: { at: 1 } } } })]),
  );
  const time = await lost.promise;
  await time.pass(31_000);
  // By then the driver's own time limit has passed for the index as well.
  await expect(read()).rejects.toThrow(mongoose.mongo.MongoNetworkTimeoutError);
  expect(opening.outcome).toBe('waiting');
  proxy.accept();
  vi.useRealTimers();
  await eventually(() => opening.outcome === undefined, 'the collection to be open');
  expect((await own.getClient().db(own.name).collection('big').indexes()).map(({ name }) => name)).toContain('at');
  await own.close(true);
});

describe('a cursor', () => {
  it('works as the driver does, and each of its commands has a limit of its own', async () => {
    const seen: string[] = [];
    for await (const { _id } of things.find().sort({ _id: -1 }).batchSize(1)) seen.push(_id);
    expect(seen).toEqual(['c', 'b', 'a']);
    expect(
      await things
        .find()
        .map(({ _id }) => _id)
        .toArray(),
    ).toEqual(['a', 'b', 'c']);

    const cursor = things.find().sort({ _id: 1 }).batchSize(2);
    expect(await cursor.hasNext()).toBe(true);
    expect([await cursor.next(), await cursor.next()]).toEqual([{ _id: 'a' }, { _id: 'b' }]);
    const time = loseAnswers();
    const followed = follow(cursor.next());
    await time.pass(30_100);
    expect(followed.outcome).toBeInstanceOf(mongoose.mongo.MongoOperationTimeoutError);
  });
});

describe('a transaction', () => {
  it('commits and passes errors on as the driver does', async () => {
    await inTransaction(database, ({ session }) => things.insertOne({ _id: 'd' }, { session }));
    const failed = inTransaction(database, async ({ session }) => {
      await things.deleteMany({}, { session });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await things.countDocuments()).toBe(4);
  });

  it('whose commit is never answered fails', async () => {
    const lost = Promise.withResolvers<ReturnType<typeof loseAnswers>>();
    stopTime();
    const followed = follow(
      inTransaction(database, async ({ session }) => {
        await things.insertOne({ _id: 'd' }, { session });
        lost.resolve(loseAnswers());
      }),
    );
    const time = await lost.promise;
    await time.pass(29_900);
    expect(followed.outcome).toBe('waiting');
    await time.pass(200);
    expect(isDatabaseAway(followed.outcome)).toBe(true);
  });
});

it('leaves no timer behind, and passes on what is not a command', async () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  const clear = vi.spyOn(globalThis, 'clearTimeout');
  await things.findOne({ _id: 'a' });
  const limits = set.mock.results.filter((_result, index) => set.mock.calls[index]?.[1] === 30_000);
  expect(limits).toHaveLength(1);
  expect(clear.mock.calls.map(([timer]) => timer)).toContain(limits[0]?.value);
  expect(things.collectionName).toBe('things');
  expect(things).toBeInstanceOf(mongoose.mongo.Collection);
});
