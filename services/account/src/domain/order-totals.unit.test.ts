import { expect, it } from 'vitest';
import { taxOf } from './order-totals.ts';

const line = (quantity: number, unitPrice: number, taxRate: number) => ({ quantity, unitPrice, taxRate });

it('is rounded for each rate', () => {
  // 3 × 10.99 at 19 % and 3.35 at 7 %: 6.26 + 0.23.
  expect(taxOf([line(3, 1099, 1900), line(1, 335, 700)], 0)).toBe(649);
  // 0.095 and 0.095 are 0.19 together; each by itself would be 0.10.
  expect(taxOf([line(1, 50, 1900), line(1, 50, 1900)], 0)).toBe(19);
  // Half a unit is rounded up.
  expect(taxOf([line(1, 50, 700)], 0)).toBe(4);
});

it('is of what is left after the discount, which each rate bears its part of', () => {
  // 10.00 of 30.00 are taken off: 6.67 of the first line and 3.33 of the second one.
  expect(taxOf([line(2, 1000, 1900), line(1, 1000, 700)], 1000)).toBe(253 + 47);
  expect(taxOf([line(1, 1000, 1900)], 1000)).toBe(0);
});

it('is nothing where there is nothing', () => {
  expect(taxOf([], 0)).toBe(0);
});

it('is refused for what can not be', () => {
  expect(() => taxOf([line(1, 100, 1900)], 101)).toThrow(RangeError);
  expect(() => taxOf([line(3, 3_002_399_751_580_331, 1900)], Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
});
