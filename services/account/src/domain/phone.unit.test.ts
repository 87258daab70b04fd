import { expect, it } from 'vitest';
import { toE164, writtenForms } from './phone.ts';

it.each([
  ['020 123 4567', 'NL', '+31201234567'],
  ['+31 (0)20 123 4567', 'NL', '+31201234567'],
  ['+31 20 123 4567', 'US', '+31201234567'],
  ['415 555 0100', 'US', '+14155550100'],
  ['+31 20 123 4567', 'AQ', '+31201234567'],
  ['+31 20 123 4567', undefined, '+31201234567'],
  ['020 123 4567', undefined, null],
  ['020 123 4567', 'AQ', null],
  ['1', 'NL', null],
  ['0201234567890123', 'NL', null],
])('reads %s in %s as %s', (phone, country, e164) => {
  expect(toE164(phone, country)).toBe(e164);
});

it('writes a number as it is dialled from abroad and at home', () => {
  expect(writtenForms('+31201234567')).toEqual(['31201234567', '0201234567']);
});
