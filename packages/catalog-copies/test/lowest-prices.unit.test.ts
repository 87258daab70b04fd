import { expect, it } from 'vitest';
import { lowestPrices } from '../src/index.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const variant = (price: number, tradePrice: number | null, status: 'active' | 'archived' = 'active') => ({
  id: 'var_1',
  sku: 'S',
  values: [],
  price: eur(price),
  tradePrice: tradePrice === null ? null : eur(tradePrice),
  stock: 1,
  weight: null,
  status,
});
const own = { price: eur(1000), tradePrice: eur(900) };

it.each([
  ['the product itself, from a catalog that knows no variants', undefined, own],
  [
    'active variants alone',
    [variant(800, null, 'archived'), variant(1200, null)],
    { price: eur(1200), tradePrice: null },
  ],
  ['the cheapest of each', [variant(800, 700), variant(500, 750)], { price: eur(500), tradePrice: eur(700) }],
  [
    'what trade pays where one has no trade price',
    [variant(800, 700), variant(500, null)],
    { price: eur(500), tradePrice: eur(500) },
  ],
])('the lowest prices are those of %s', (_what, variants, expected) => {
  expect(lowestPrices({ ...own, variants })).toEqual(expected);
});
