import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { exponentOf, inMajorUnits } from '../src/index.ts';

it.each([
  [1999, 'EUR', 19.99],
  [1999, 'JPY', 1999],
  [1999, 'KWD', 1.999],
  [19_999, 'CLF', 1.9999],
  [1999, 'HUF', 19.99],
  [0, 'EUR', 0],
])('%d minor units of %s are %d major ones', (amount, currency, units) => {
  expect(inMajorUnits({ amount, currency })).toBe(units);
});

it('has no digits in major units but those of the amount', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_000_000), fc.constantFrom('EUR', 'JPY', 'KWD', 'UYW'), (amount, currency) => {
      const digits = exponentOf(currency);
      const text = String(amount).padStart(digits + 1, '0');
      const pointed = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
      expect(inMajorUnits({ amount, currency })).toBe(Number(pointed));
    }),
  );
});
