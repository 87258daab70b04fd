import { expect, it } from 'vitest';
import { spread } from '../src/index.ts';

it('gives the units that are left to the largest remainders, and of equal ones to the first', () => {
  const parts = [1, 1, 1].map((weight) => ({ weight, atMost: 100 }));
  expect(spread(100, parts)).toEqual([34, 33, 33]);
});
