import { describe, expect, it } from 'vitest';
import { priceFor, tierOf } from './price.ts';

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
