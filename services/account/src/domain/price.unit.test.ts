import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inMajorUnits, priceFor, tierOf } from './price.ts';

describe('major units', () => {
  it.each([
    [1999, 'EUR', 19.99],
    [1999, 'JPY', 1999],
    [1999, 'KWD', 1.999],
    [19_999, 'CLF', 1.9999],
    [0, 'EUR', 0],
  ])('of %d %s are %d', (amount, currency, units) => {
    expect(inMajorUnits({ amount, currency })).toBe(units);
  });

  it('are the amount with a point in it: no other digits come out of the division', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.constantFrom('EUR', 'JPY', 'KWD'), (amount, currency) => {
        const digits = { EUR: 2, JPY: 0, KWD: 3 }[currency];
        const text = String(amount).padStart(digits + 1, '0');
        const pointed = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
        expect(inMajorUnits({ amount, currency })).toBe(Number(pointed));
      }),
    );
  });
});

describe('the price for somebody', () => {
  const price = { amount: 1000, currency: 'EUR' };
  const tradePrice = { amount: 800, currency: 'EUR' };

  it.each([
    ['retail', tradePrice, 1000],
    ['admin', tradePrice, 1000],
    ['trade', tradePrice, 800],
    ['trade', null, 1000],
  ])('who is %s, where the trade price is %o, is %d', (role, trade, amount) => {
    expect(priceFor(tierOf(role), { price, tradePrice: trade }).amount).toBe(amount);
  });
});
