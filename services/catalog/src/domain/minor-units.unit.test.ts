import { describe, expect, it } from 'vitest';
import { toMinorUnits } from './minor-units.ts';

describe('amounts', () => {
  it.each([
    ['19.99', 'EUR', 1999],
    ['4.35', 'EUR', 435],
    ['1.1', 'EUR', 110],
    ['0', 'EUR', 0],
    [' 7 ', 'EUR', 700],
    ['1500', 'JPY', 1500],
    ['1.234', 'BHD', 1234],
  ])('%s %s', (words, currency, amount) => {
    expect(toMinorUnits(words, currency)).toEqual({ amount, currency });
  });

  it.each([
    ['1.999', 'EUR'],
    ['1.5', 'JPY'],
    ['-1', 'EUR'],
    ['1,50', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['.5', 'EUR'],
  ])('not %j %s', (words, currency) => {
    expect(toMinorUnits(words, currency)).toBeUndefined();
  });
});
