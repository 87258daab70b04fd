import type mongoose from 'mongoose';
import { afterEach, expect, it, vi } from 'vitest';
import { batchReads, batchReadsOfMany } from '../src/batch-reads.ts';

interface Thing {
  _id: string;
}

/** A collection whose reads the test answers itself. */
function fakeCollection() {
  const reads: { ids: string[]; answer: (found: Thing[]) => void; fail: (error: Error) => void }[] = [];
  const send = (ids: string[]) =>
    new Promise<Thing[]>((answer, fail) => {
      reads.push({ ids, answer, fail });
    });
  const collection = {
    findOne: async ({ _id }: { _id: string }) => (await send([_id]))[0] ?? null,
    find: ({ _id }: { _id: { $in: string[] } }) => ({ toArray: () => send(_id.$in) }),
  } as unknown as mongoose.mongo.Collection<Thing>;
  return { reads, read: batchReads(collection, { secret: 0 }), readMany: batchReadsOfMany(collection, { secret: 0 }) };
}

/** A read that nobody answers: it fails 30 s later, when another file may run in this process. */
const begin = (read: Promise<unknown>) => void read.catch(() => undefined);

/** Two turns of the event loop: the calls of one turn are read at its end. */
const settled = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
};

it('sends one read for all calls of one turn, and gives each its own document', async () => {
  const { reads, read } = fakeCollection();
  const all = Promise.all([read('a'), read('b'), read('a'), read('gone')]);
  await settled();
  expect(reads.map(({ ids }) => ids)).toEqual([['a', 'b', 'gone']]);
  reads[0]?.answer([{ _id: 'b' }, { _id: 'a' }]);
  expect(await all).toEqual([{ _id: 'a' }, { _id: 'b' }, { _id: 'a' }, null]);
});

it('has two reads under way at most, and batches the calls that come meanwhile', async () => {
  const { reads, read } = fakeCollection();
  for (const id of ['a', 'b', 'c', 'd']) {
    begin(read(id));
    await settled();
  }
  expect(reads.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
  reads[1]?.answer([]);
  await settled();
  expect(reads.map(({ ids }) => ids)).toEqual([['a'], ['b'], ['c', 'd']]);
});

it('never joins a read that has begun: it may not see what was written since', async () => {
  const { reads, read } = fakeCollection();
  begin(read('a'));
  await settled();
  begin(read('a'));
  await settled();
  expect(reads.map(({ ids }) => ids)).toEqual([['a'], ['a']]);
});

it('reads no more than a hundred documents at once', async () => {
  const { reads, read } = fakeCollection();
  for (let at = 0; at < 150; at += 1) begin(read(`id-${at}`));
  await settled();
  expect(reads.map(({ ids }) => ids.length)).toEqual([100, 50]);
});

it('fails for the calls that wait when a read fails, and then starts again', async () => {
  const { reads, read } = fakeCollection();
  const first = read('a');
  await settled();
  const second = read('b');
  await settled();
  const waiting = read('c');
  reads[0]?.fail(new Error('the database is away'));
  await expect(first).rejects.toThrow('the database is away');
  await expect(waiting).rejects.toThrow('the database is away');

  reads[1]?.answer([{ _id: 'b' }]);
  expect(await second).toEqual({ _id: 'b' });
  const again = read('c');
  await settled();
  reads[2]?.answer([{ _id: 'c' }]);
  expect(await again).toEqual({ _id: 'c' });
});

it('sends one read for calls that ask for several, and gives each its own documents in the order of its ids', async () => {
  const { reads, readMany } = fakeCollection();
  const all = Promise.all([readMany(['a', 'b']), readMany(['c', 'gone', 'a', 'b']), readMany(['gone'])]);
  await settled();
  expect(reads.map(({ ids }) => ids)).toEqual([['a', 'b', 'c', 'gone']]);
  reads[0]?.answer([{ _id: 'c' }, { _id: 'b' }, { _id: 'a' }]);
  expect(await all).toEqual([[{ _id: 'a' }, { _id: 'b' }], [{ _id: 'c' }, { _id: 'a' }, { _id: 'b' }], []]);
});

it('reads by one command what a hundred calls ask for, and nothing for a call without ids', async () => {
  const { reads, readMany } = fakeCollection();
  const nothing = readMany([]);
  await settled();
  expect(reads).toEqual([]);
  expect(await nothing).toEqual([]);
  for (let at = 0; at < 101; at += 1) begin(readMany([`id-${at}`, `other-${at}`]));
  await settled();
  expect(reads.map(({ ids }) => ids.length)).toEqual([200, 2]);
});

afterEach(() => vi.useRealTimers());

it('fails when the driver never answers, and serves the calls that come after that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { reads, read } = fakeCollection();
  const lost: Promise<unknown>[] = [];
  for (const id of ['a', 'b']) {
    lost.push(read(id).catch((error: Error) => error.message));
    await settled();
  }
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await Promise.all(lost)).toEqual(['no answer within 30000 ms', 'no answer within 30000 ms']);
  const found = read('c');
  await settled();
  reads[2]?.answer([{ _id: 'c' }]);
  expect(await found).toEqual({ _id: 'c' });
});
