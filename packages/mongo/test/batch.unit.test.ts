import { afterEach, expect, it, vi } from 'vitest';
import { batch } from '../src/batch.ts';

afterEach(() => vi.useRealTimers());

/** Two turns of the event loop: the items of one turn are worked on at its end. */
const settled = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
};

const ways: Record<string, (items: readonly string[]) => Promise<(string | Promise<string>)[]>> = {
  'throws at once': () => {
    throw new Error('lost');
  },
  rejects: () => Promise.reject(new Error('lost')),
  'returns a result too few': async (items) => items.slice(1),
  hangs: () => new Promise(() => {}),
  'returns a result that hangs': async (items) => items.map(() => new Promise<string>(() => {})),
};

it.each(Object.keys(ways))('serves later callers at full concurrency after work that %s', async (way) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let working: (typeof ways)[string] = ways[way]!;
  const work = batch<string, string>({ concurrency: 2, work: (items) => working(items) });
  const lost: Promise<unknown>[] = [];
  // Both places are taken, and one waits.
  for (const item of ['a', 'b', 'c']) {
    lost.push(work(item).catch((error: Error) => error));
    await settled();
  }
  await vi.advanceTimersByTimeAsync(30_000);
  for (const outcome of await Promise.all(lost)) expect(outcome).toBeInstanceOf(Error);

  const batches: string[][] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  working = async (items) => {
    batches.push([...items]);
    await held;
    return [...items];
  };
  const served: Promise<string>[] = [];
  for (const item of ['d', 'e']) {
    served.push(work(item));
    await settled();
  }
  expect(batches).toEqual([['d'], ['e']]);
  release();
  expect(await Promise.all(served)).toEqual(['d', 'e']);
});

it('fails only for the item whose own result fails', async () => {
  const work = batch<string, string>({
    concurrency: 1,
    work: async (items) => items.map((item) => (item === 'b' ? Promise.reject(new Error('not b')) : item)),
  });
  const [a, b, c] = await Promise.allSettled(['a', 'b', 'c'].map(work));
  expect(a).toEqual({ status: 'fulfilled', value: 'a' });
  expect(b).toMatchObject({ status: 'rejected', reason: new Error('not b') });
  expect(c).toEqual({ status: 'fulfilled', value: 'c' });
});

it('pauses after a batch, so that the next one has more items, but not once half of a batch waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const batches: (readonly string[])[] = [];
  const add = batch<string, string>({
    concurrency: 1,
    atMost: 6,
    pauseMs: 100,
    async work(items) {
      batches.push(items);
      return items;
    },
  });
  const begun = (...items: string[]) => Promise.all(items.map(add));
  await begun('a');
  const second = [begun('b')];
  await settled();
  second.push(begun('c'));
  await settled();
  expect(batches).toEqual([['a']]);
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(second);
  await begun('d', 'e', 'f');
  expect(batches).toEqual([['a'], ['b', 'c'], ['d', 'e', 'f']]);
});
