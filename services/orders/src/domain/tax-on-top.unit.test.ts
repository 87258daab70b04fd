import { expect, it } from 'vitest';
import { taxOnTop } from './tax-on-top.ts';

const line = (quantity: number, unitPrice: number, taxRate: number) => ({ quantity, unitPrice, taxRate });
const free = { unitPrice: 0, taxRate: 1900 };

it('is rounded for each rate', () => {
  // 3 × 10.99 at 19 % and 3.35 at 7 %: 6.26 + 0.23.
  expect(taxOnTop([line(3, 1099, 1900), line(1, 335, 700)], free, 0)).toBe(649);
  // 0.095 and 0.095 are 0.19 together; each by itself would be 0.10.
  expect(taxOnTop([line(1, 50, 1900)], { unitPrice: 50, taxRate: 1900 }, 0)).toBe(19);
  // Half a unit is rounded up.
  expect(taxOnTop([line(1, 50, 700)], free, 0)).toBe(4);
});

it('is of what is left after the discount, which lines and shipping bear in proportion', () => {
  // 10.00 of 30.00 are taken off: 6.67 of the line and 3.33 of shipping.
  expect(taxOnTop([line(2, 1000, 1900)], { unitPrice: 1000, taxRate: 700 }, 1000)).toBe(253 + 47);
  expect(taxOnTop([line(1, 1000, 1900)], free, 1000)).toBe(0);
});

it('is refused for what can not be', () => {
  expect(() => taxOnTop([line(1, 100, 1900)], free, 101)).toThrow(RangeError);
  expect(() => taxOnTop([line(3, 3_002_399_751_580_331, 1900)], free, Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
});
