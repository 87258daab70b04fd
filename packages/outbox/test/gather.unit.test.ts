import type mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { gatherReads } from '../src/gather.ts';

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

const settled = () => new Promise(setImmediate);

it('asks at once while few reads are under way', () => {
  const { asked, read } = playedCollection();
  void read('a');
  void read('b');
  expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
});

it('gathers those who come meanwhile, and gives each their own', async () => {
  const { asked, read } = playedCollection();
  void read('a');
  void read('b');
  const later = Promise.all([read('c'), read('d'), read('c'), read('gone')]);
  await settled();
  expect(asked).toHaveLength(2);

  asked[0]?.answer([{ _id: 'a' }]);
  await settled();
  expect(asked.slice(2).map(({ ids }) => ids)).toEqual([['c', 'd', 'gone']]);
  asked[2]?.answer([{ _id: 'd' }, { _id: 'c' }]);
  expect(await later).toEqual([{ _id: 'c' }, { _id: 'd' }, { _id: 'c' }, null]);
});

it('never joins a read that has begun: it may not see what was written since', async () => {
  const { asked, read } = playedCollection();
  void read('a');
  void read('b');
  void read('c');
  asked[0]?.answer([]);
  await settled();
  void read('c');
  asked[1]?.answer([]);
  await settled();
  expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['b'], ['c'], ['c']]);
});

it('asks for no more than a hundred at once', async () => {
  const { asked, read } = playedCollection();
  void read('a');
  void read('b');
  for (let at = 0; at < 150; at += 1) void read(`id-${at}`);
  asked[0]?.answer([]);
  asked[1]?.answer([]);
  await settled();
  expect(asked.slice(2).map(({ ids }) => ids.length)).toEqual([100, 50]);
});

it('fails for those who wait where the read before failed, and then begins anew', async () => {
  const { asked, read } = playedCollection();
  const first = read('a');
  const second = read('b');
  const waiting = read('c');
  asked[0]?.fail(new Error('the database is away'));
  await expect(first).rejects.toThrow('the database is away');
  await expect(waiting).rejects.toThrow('the database is away');

  asked[1]?.answer([{ _id: 'b' }]);
  expect(await second).toEqual({ _id: 'b' });
  const anew = read('c');
  asked[2]?.answer([{ _id: 'c' }]);
  expect(await anew).toEqual({ _id: 'c' });
});
