import { currentCause, runWithCause } from '@storefront/messaging';
import { expect, it } from 'vitest';
import { inContextOfOwner, openStepBatches } from '../src/step-batches.ts';

it('does the items of one moment in batches of so many at most, one after the other', async () => {
  const batches: (readonly number[])[] = [];
  let underWay = 0;
  const double = openStepBatches<number, number>(
    async (items) => {
      underWay += 1;
      expect(underWay).toBe(1);
      batches.push(items.map(({ item }) => item));
      await new Promise(setImmediate);
      underWay -= 1;
      return items.map(({ item }) => item * 2);
    },
    { atMost: 2 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

it('does each item alone where one of them fails, and lets that one fail', async () => {
  const half = openStepBatches<number, number>(async (items) => {
    if (items.some(({ item }) => item % 2 === 1)) throw new Error('odd');
    return items.map(({ item }) => item / 2);
  });
  const results = await Promise.allSettled([2, 3, 4].map(half));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
    1,
    'odd',
    2,
  ]);
});

it('keeps the cause of each step for the documents that it changes, and has none of its own', async () => {
  const perform = openStepBatches<string, string>(async (steps) => {
    for (const { item, owns } of steps) owns([item]);
    await new Promise(setImmediate);
    return steps.map(
      ({ item }) => `${currentCause()?.correlationid} ${inContextOfOwner(item, currentCause)?.correlationid}`,
    );
  });
  const ask = (item: string) => runWithCause({ correlationid: `request-${item}` }, () => perform(item));
  expect(await Promise.all(['a', 'b'].map(ask))).toEqual(['undefined request-a', 'undefined request-b']);
});
