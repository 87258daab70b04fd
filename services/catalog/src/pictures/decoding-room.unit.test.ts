import { expect, it } from 'vitest';
import { createDecodingRoom } from './decoding-room.ts';

const small = 1_000_000;
const large = 30_000_000;

/** Begins work that ends when it is told to. */
function begin(room: ReturnType<typeof createDecodingRoom>, pixels: number, signal = new AbortController().signal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isUnderWay = false;
  const done = room(pixels, signal, async () => {
    isUnderWay = true;
    await promise;
    isUnderWay = false;
  });
  return { isUnderWay: () => isUnderWay, end: () => (resolve(), done), done };
}

it('lets two in at once, and others in their turn', async () => {
  const room = createDecodingRoom();
  const all = [1, 2, 3].map(() => begin(room, small));
  const underWay = async () => {
    await Promise.resolve();
    return all.map((each) => each.isUnderWay());
  };
  expect(await underWay()).toEqual([true, true, false]);
  await all[0]?.end();
  expect(await underWay()).toEqual([false, true, true]);
});

it('lets a large one in alone', async () => {
  const room = createDecodingRoom();
  const [first, big, last] = [begin(room, small), begin(room, large), begin(room, small)];
  await Promise.resolve();
  expect([first.isUnderWay(), big.isUnderWay(), last.isUnderWay()]).toEqual([true, false, false]);
  await first.end();
  expect([big.isUnderWay(), last.isUnderWay()]).toEqual([true, false]);
  await big.end();
  expect(last.isUnderWay()).toBe(true);
});

it('goes on after one that failed', async () => {
  const room = createDecodingRoom();
  const { signal } = new AbortController();
  await expect(room(large, signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(room(large, signal, async () => 'done')).resolves.toBe('done');
});

it('refuses the one after 16 that wait, and whose client left', async () => {
  const room = createDecodingRoom();
  const client = new AbortController();
  const first = begin(room, large);
  const left = begin(room, small, client.signal);
  const waiting = Array.from({ length: 15 }, () => begin(room, small));
  await expect(begin(room, small).done).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
  client.abort();
  await expect(left.done).rejects.toMatchObject({ code: 'overloaded' });
  expect(left.isUnderWay()).toBe(false);
  await expect(begin(room, small, client.signal).done).rejects.toMatchObject({ code: 'overloaded' });
  await first.end();
  await Promise.all(waiting.map((each) => each.end()));
});
