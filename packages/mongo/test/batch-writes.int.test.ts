import mongoose from 'mongoose';
import { eventually, freshDatabase, startProxy } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { batchWrites, type Write } from '../src/batch-writes.ts';
import { collectionOf } from '../src/collections.ts';
import type { Stored } from '../src/stored.ts';

type Thing = Stored & { slug: string };

const database = freshDatabase('batch');
let connection: mongoose.Connection;
let things: mongoose.mongo.Collection<Thing>;
let write: (write: Write) => Promise<boolean>;
/** The names of the commands that were sent. */
const commands: string[] = [];
beforeAll(async () => {
  connection = await mongoose.createConnection(database.url, { monitorCommands: true }).asPromise();
  connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  things = connection.getClient().db(connection.name).collection<Thing>('things');
  await things.createIndex({ slug: 1 }, { unique: true });
  write = batchWrites(things as unknown as mongoose.mongo.Collection<Stored>);
});
beforeEach(() => things.deleteMany({}));
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const thing = (id: string, slug = id): Thing => ({ _id: id, version: 1, outbox: [], slug });
const update = (id: string, version: number, slug: string): Write => ({
  filter: { _id: id, version },
  update: { $set: { version: version + 1, slug } as object },
});
const slugs = async () => (await things.find().sort({ _id: 1 }).toArray()).map(({ _id, slug }) => `${_id} ${slug}`);

it('sends the writes of one turn as one command of each kind, and says for each whether it was done', async () => {
  await things.insertMany([thing('a'), thing('b'), thing('c')]);
  commands.length = 0;
  const all = [update('a', 1, 'x'), update('b', 1, 'y'), { insert: thing('d') }, { insert: thing('e') }];
  expect(await Promise.all(all.map(write))).toEqual([true, true, true, true]);
  expect(commands.toSorted()).toEqual(['insert', 'update']);
  expect(await slugs()).toEqual(['a x', 'b y', 'c c', 'd d', 'e e']);
});

it('writes nothing for one that matches nothing or whose id is taken, and all the others', async () => {
  await things.insertMany([thing('a'), thing('b')]);
  const all = [
    update('a', 7, 'of another version'),
    update('gone', 1, 'of nothing'),
    { insert: thing('b', 'taken') },
    update('b', 1, 'y'),
    { insert: thing('c') },
  ];
  expect(await Promise.all(all.map(write))).toEqual([false, false, false, true, true]);
  expect(await slugs()).toEqual(['a a', 'b y', 'c c']);
});

it('does one of two writes that change the same version in one turn', async () => {
  await things.insertOne(thing('a'));
  const done = await Promise.all([write(update('a', 1, 'x')), write(update('a', 1, 'y'))]);
  expect(done.filter(Boolean)).toHaveLength(1);
  expect(await slugs()).toEqual([done[0] ? 'a x' : 'a y']);
});

it('fails for the writes that another unique index refuses, with its error, and for no other', async () => {
  await things.insertMany([thing('a'), thing('b'), thing('c')]);
  const [changed, fine, inserted] = await Promise.allSettled([
    write(update('a', 1, 'c')),
    write(update('b', 1, 'free')),
    write({ insert: thing('d', 'c') }),
  ]);
  const refused = { name: 'MongoServerError', code: 11_000, keyPattern: { slug: 1 } };
  expect(changed).toMatchObject({ status: 'rejected', reason: refused });
  expect(inserted).toMatchObject({ status: 'rejected', reason: refused });
  expect(fine).toEqual({ status: 'fulfilled', value: true });
  expect(await slugs()).toEqual(['a a', 'b free', 'c c']);
});

it('fails for all writes with the same error as for a single one while the database is away', async () => {
  const proxy = await startProxy(database.url);
  const options = { directConnection: true, serverSelectionTimeoutMS: 500 };
  const away = await mongoose.createConnection(proxy.url, options).asPromise();
  const writeAway = batchWrites(away.getClient().db(away.name).collection<Stored>('things'));
  expect(await writeAway({ insert: thing('a') })).toBe(true);
  proxy.refuse();
  proxy.cut();
  const all = await Promise.allSettled([update('a', 1, 'x'), update('b', 1, 'y')].map(writeAway));
  for (const one of all) {
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(Error) });
    expect(one).not.toMatchObject({ reason: { name: 'MongoBulkWriteError' } });
  }
  await away.close(true);
  await proxy.close();
});

it('sends nothing more after a command that the database has not answered for 30 s', async () => {
  const proxy = await startProxy(database.url);
  const options = { directConnection: true, heartbeatFrequencyMS: 60_000, monitorCommands: true };
  const silent = await mongoose.createConnection(proxy.url, options).asPromise();
  const sent: string[] = [];
  silent.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
  const writeSilent = batchWrites(collectionOf<Stored>(silent, 'things'));
  expect(await writeSilent({ insert: thing('a') })).toBe(true);
  sent.length = 0;
  proxy.hold();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const all = Promise.allSettled(
      [{ insert: thing('b') }, { insert: thing('c') }, { insert: thing('d') }].map(writeSilent),
    );
    await eventually(() => sent.length === 1, 'the command');
    await vi.advanceTimersByTimeAsync(31_000);
    for (const one of await all) expect(one).toMatchObject({ reason: { name: 'MongoOperationTimeoutError' } });
    expect(sent).toEqual(['insert']);
  } finally {
    vi.useRealTimers();
    proxy.accept();
    await silent.close(true);
    await proxy.close();
  }
});
