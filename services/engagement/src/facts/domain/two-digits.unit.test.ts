import { expect, it } from 'vitest';
import { twoDigits } from './two-digits.ts';

it('keeps two digits of a time, in a name that a number can be read from', () => {
  const names = [0, 0.0349, 0.35, 1, 1.26, 12, 12.6, 99.6, 104, 1249, -3].map(twoDigits);
  expect(names).toEqual(['0', '35e-3', '35e-2', '1', '13e-1', '12', '13', '100', '100', '1200', '0']);
  expect(names.map(Number)).toEqual([0, 0.035, 0.35, 1, 1.3, 12, 13, 100, 100, 1200, 0]);
});
