import { expect, it } from 'vitest';
import { toDecimal } from '@storefront/money';
import { plainQuantity, shown, shownQuantity } from '../src/amounts.ts';

it.each([
  [123_456_789, 'EUR', '1234567.89', '1,234,567.89'],
  [5, 'EUR', '0.05', '0.05'],
  [-5, 'EUR', '-0.05', '-0.05'],
  [-123_456, 'EUR', '-1234.56', '-1,234.56'],
  [0, 'EUR', '0.00', '0.00'],
  [1999, 'JPY', '1999', '1,999'],
  [-1999, 'KWD', '-1.999', '-1.999'],
  [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91', '90,071,992,547,409.91'],
])('%d minor units of %s are %s, and shown as %s', (amount, currency, plain, grouped) => {
  expect(toDecimal({ amount, currency })).toBe(plain);
  expect(shown(amount, currency)).toBe(grouped);
});

it.each([
  [3, '3', '3'],
  [0.125, '0.125', '0.125'],
  [0.1 + 0.2, '0.3', '0.3'],
  [1_000_000, '1000000', '1,000,000'],
  [1234.5, '1234.5', '1,234.5'],
])('the quantity %d is %s, and shown as %s', (quantity, plain, grouped) => {
  expect(plainQuantity(quantity)).toBe(plain);
  expect(shownQuantity(quantity)).toBe(grouped);
});
