import { expect, it } from 'vitest';
import { formatsOf } from './formats.ts';
import { languages } from './languages/languages.ts';

const time = new Date('2026-11-21T23:40:00Z');

it.each([
  [1999, 'EUR', '€19.99'],
  [0, 'EUR', '€0.00'],
  [1999, 'JPY', '¥1,999'],
  [1999, 'KWD', 'KWD\u00A01.999'],
  // ISO 4217 gives the forint two digits, though Intl shows it without.
  [1999, 'HUF', 'HUF\u00A019.99'],
  [19_999, 'CLF', 'CLF\u00A01.9999'],
])('shows %d of %s as %s', (amount, currency, shown) => {
  expect(formatsOf(languages.en, 'UTC').money({ amount, currency })).toBe(shown);
});

it('writes amounts and days in the language', () => {
  const { money, day } = formatsOf(languages.de, 'Pacific/Auckland');
  expect(money({ amount: 123_456, currency: 'EUR' })).toBe('1.234,56\u00A0€');
  expect(day('2026-12-21')).toBe('21. Dezember 2026');
  expect(formatsOf(languages.en, 'UTC').day('2026-12-21')).toBe('21 December 2026');
});

it('writes times with their zone', () => {
  expect(formatsOf(languages.en, 'UTC').time(time)).toBe('23:40 UTC on 21 November');
  expect(formatsOf(languages.de, 'Europe/Berlin').time(time)).toBe('22. November, 00:40 MEZ');
  expect(formatsOf(languages.en, 'Asia/Kolkata').time(time)).toBe('05:10 GMT+5:30 on 22 November');
});
