import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromDecimal, toDecimal } from '../src/index.ts';

it.each([
  ['120.00', 'EUR', 12_000],
  ['120', 'EUR', 12_000],
  ['120.5', 'EUR', 12_050],
  ['0.07', 'EUR', 7],
  ['1.1', 'EUR', 110],
  ['120', 'JPY', 120],
  ['1.999', 'KWD', 1999],
  ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
])('%s %s are %d minor units', (text, currency, amount) => {
  expect(fromDecimal(text, currency)).toBe(amount);
});

it.each([
  ['120.001', 'EUR'],
  ['120.0', 'JPY'],
  ['120,00', 'EUR'],
  ['-1.00', 'EUR'],
  ['1e3', 'EUR'],
  ['.50', 'EUR'],
  ['1.', 'EUR'],
  ['', 'EUR'],
  [' 1', 'EUR'],
  ['90071992547409.92', 'EUR'],
])('%j is no amount in %s', (text, currency) => {
  expect(fromDecimal(text, currency)).toBeUndefined();
});

it.each([
  [12_000, 'EUR', '120.00'],
  [7, 'EUR', '0.07'],
  [-7, 'EUR', '-0.07'],
  [1999, 'JPY', '1999'],
  [0, 'KWD', '0.000'],
])('%d minor units of %s are written as %s', (amount, currency, text) => {
  expect(toDecimal({ amount, currency })).toBe(text);
});

it('reads every amount that it writes', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom('EUR', 'JPY', 'KWD', 'UYW'), (amount, currency) => {
      expect(fromDecimal(toDecimal({ amount, currency }), currency)).toBe(amount);
    }),
  );
});
