import { currentCause, runWithCause } from '@storefront/messaging';
import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { openTurns } from '../src/turns.ts';

const away = new mongoose.mongo.MongoServerSelectionError('away', {} as never);

function open() {
  const last = new Map();
  return { last, inTurn: openTurns<number>(last) };
}

it('runs work of one id in order, each with what the one before left, and of other ids meanwhile', async () => {
  const { last, inTurn } = open();
  const begun: string[] = [];
  const results = ['a', 'a', 'b', 'a'].map((id, number) =>
    inTurn(id, async (left) => {
      begun.push(`${id}${number}`);
      await new Promise(setImmediate);
      return { result: [number, left], left: number };
    }),
  );
  await new Promise(setImmediate);
  expect(begun).toEqual(['a0', 'b2']);
  expect(await Promise.all(results)).toEqual([
    [0, undefined],
    [1, 0],
    [2, undefined],
    [3, 1],
  ]);
  expect(begun).toEqual(['a0', 'b2', 'a1', 'a3']);
  expect(last.size).toBe(0);
});

it('goes on after work that fails or leaves nothing, and the next one gets nothing', async () => {
  const { last, inTurn } = open();
  const first = inTurn('a', async () => ({ result: 'first', left: 1 }));
  const failed = inTurn('a', async () => Promise.reject(new Error('no')));
  const third = inTurn('a', async (left) => ({ result: left }));
  const fourth = inTurn('a', async (left) => ({ result: left }));
  await expect(failed).rejects.toThrow('no');
  expect(await Promise.all([first, third, fourth])).toEqual(['first', undefined, undefined]);
  expect(last.size).toBe(0);
});

it('fails at once whatever waits when the database is away, and tries what comes later', async () => {
  const { last, inTurn } = open();
  let tries = 0;
  const fail = async () => {
    tries += 1;
    await new Promise(setImmediate);
    throw away;
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => inTurn('a', fail)));
  expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([away, away, away]);
  expect(tries).toBe(1);
  expect(last.size).toBe(0);
  expect(await inTurn('a', async () => ({ result: 'again' }))).toBe('again');
});

it('runs each in the context of its caller', async () => {
  const { inTurn } = open();
  const causes = ['x', 'y', 'z'].map((correlationid) =>
    runWithCause({ correlationid }, () =>
      inTurn('a', async () => {
        await new Promise(setImmediate);
        return { result: currentCause()?.correlationid };
      }),
    ),
  );
  expect(await Promise.all(causes)).toEqual(['x', 'y', 'z']);
});
