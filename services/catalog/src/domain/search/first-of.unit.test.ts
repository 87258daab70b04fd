import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstOf } from './first-of.ts';

const ascending = (one: number, other: number) => one - other;

it('returns the first ones in order, whatever the order of the list', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 12 }), (list, count) => {
      expect(firstOf(list, count, ascending)).toEqual(list.toSorted(ascending).slice(0, count));
    }),
  );
});

it('compares most numbers of a long list once, even if they are in the opposite order', () => {
  const list = Array.from({ length: 100_000 }, (_, at) => -at);
  let compared = 0;
  const first = firstOf(list, 20, (one, other) => {
    compared += 1;
    return one - other;
  });
  expect(first).toEqual(list.slice(-20).toReversed());
  expect(compared).toBeLessThan(110_000);
});
