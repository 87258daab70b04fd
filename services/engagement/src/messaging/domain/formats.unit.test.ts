import { expect, it } from 'vitest';
import { formatPrice } from './formats.ts';

it.each([
  [1999, 'EUR', '€19.99'],
  [0, 'EUR', '€0.00'],
  [1999, 'JPY', '¥1,999'],
  [1999, 'KWD', 'KWD\u00A01.999'],
  // ISO 4217 gives the forint two digits, though Intl shows it without.
  [1999, 'HUF', 'HUF\u00A019.99'],
  [19_999, 'CLF', 'CLF\u00A01.9999'],
])('shows %d of %s as %s', (amount, currency, shown) => {
  expect(formatPrice({ amount, currency })).toBe(shown);
});
