import { describe, expect, it } from 'vitest';
import { unitPriceOf } from './selling.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('the price of a unit', () => {
  const priced = {
    price: eur(1000),
    tradePrice: eur(800),
    quantityPrices: [
      { from: 10, price: eur(900) },
      { from: 50, price: eur(700) },
    ],
  };

  it.each([
    ['retail', 100, 1000],
    ['trade', 1, 800],
    ['trade', 10, 800],
    ['trade', 49, 800],
    ['trade', 50, 700],
  ] as const)('for %s, of %d units, is %d', (tier, quantity, amount) => {
    expect(unitPriceOf(priced, tier, quantity)).toEqual(eur(amount));
  });

  it('is the retail price for trade customers where there is no other', () => {
    expect(unitPriceOf({ price: eur(1000), tradePrice: null }, 'trade', 5)).toEqual(eur(1000));
  });
});
