import type mongoose from 'mongoose';
import { afterEach, expect, it, vi } from 'vitest';
import { gatherReads } from '../src/gather-reads.ts';

interface Thing {
  _id: string;
}

/** A collection whose every read is answered by the test: what was asked for, and how it ends. */
function playedCollection() {
  const asked: { ids: string[]; answer: (found: Thing[]) => void; fail: (error: Error) => void }[] = [];
  const ask = (ids: string[]) =>
    new Promise<Thing[]>((answer, fail) => {
      asked.push({ ids, answer, fail });
    });
  const collection = {
    findOne: async ({ _id }: { _id: string }) => (await ask([_id]))[0] ?? null,
    find: ({ _id }: { _id: { $in: string[] } }) => ({ toArray: () => ask(_id.$in) }),
  } as unknown as mongoose.mongo.Collection<Thing>;
  return { asked, read: gatherReads(collection, { secret: 0 }) };
}

/** Two turns of the event loop: what is asked for in one is read at its end. */
const settled = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
};

it('asks once for all who ask in one turn, and gives each their own', async () => {
  const { asked, read } = playedCollection();
  const all = Promise.all([read('a'), read('b'), read('a'), read('gone')]);
  await settled();
  expect(asked.map(({ ids }) => ids)).toEqual([['a', 'b', 'gone']]);
  asked[0]?.answer([{ _id: 'b' }, { _id: 'a' }]);
  expect(await all).toEqual([{ _id: 'a' }, { _id: 'b' }, { _id: 'a' }, null]);
});

it('has two reads under way at most, and gathers those who come meanwhile', async () => {
  const { asked, read } = playedCollection();
  for (const id of ['a', 'b', 'c', 'd']) {
    void read(id);
    await settled();
  }
  expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
  asked[1]?.answer([]);
  await settled();
  expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['b'], ['c', 'd']]);
});

it('never joins a read that has begun: it may not see what was written since', async () => {
  const { asked, read } = playedCollection();
  void read('a');
  await settled();
  void read('a');
  await settled();
  expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['a']]);
});

it('asks for no more than a hundred at once', async () => {
  const { asked, read } = playedCollection();
  for (let at = 0; at < 150; at += 1) void read(`id-${at}`);
  await settled();
  expect(asked.map(({ ids }) => ids.length)).toEqual([100, 50]);
});

it('fails for those who wait where a read before failed, and then begins anew', async () => {
  const { asked, read } = playedCollection();
  const first = read('a');
  await settled();
  const second = read('b');
  await settled();
  const waiting = read('c');
  asked[0]?.fail(new Error('the database is away'));
  await expect(first).rejects.toThrow('the database is away');
  await expect(waiting).rejects.toThrow('the database is away');

  asked[1]?.answer([{ _id: 'b' }]);
  expect(await second).toEqual({ _id: 'b' });
  const anew = read('c');
  await settled();
  asked[2]?.answer([{ _id: 'c' }]);
  expect(await anew).toEqual({ _id: 'c' });
});

afterEach(() => vi.useRealTimers());

it('gives up what the driver never answers, and goes on with those who ask then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { asked, read } = playedCollection();
  const lost: Promise<unknown>[] = [];
  for (const id of ['a', 'b']) {
    lost.push(read(id).catch((error: Error) => error.message));
    await settled();
  }
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await Promise.all(lost)).toEqual(['no answer within 30000 ms', 'no answer within 30000 ms']);
  const found = read('c');
  await settled();
  asked[2]?.answer([{ _id: 'c' }]);
  expect(await found).toEqual({ _id: 'c' });
});
