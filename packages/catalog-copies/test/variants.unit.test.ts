import type { catalogEvents } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { activeVariants, lowestPrices } from '../src/index.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const variant = (price: number, tradePrice: number | null, status: 'active' | 'archived' = 'active') => ({
  id: `var_${price}`,
  sku: 'S',
  values: [],
  price: eur(price),
  tradePrice: tradePrice === null ? null : eur(tradePrice),
  stock: 1,
  weight: null,
  status,
});
const product = (variants?: catalogEvents.VariantFacts[]): catalogEvents.ProductFacts => ({
  id: 'prod_1',
  sku: 'P',
  name: 'Shirt',
  slug: 'shirt',
  image: null,
  categoryIds: [],
  price: eur(1000),
  tradePrice: eur(900),
  status: 'active',
  stock: 7,
  available: true,
  ...(variants && { variants }),
});

it('the variants for sale are the active ones', () => {
  const sold = variant(1200, null);
  expect(activeVariants(product([variant(800, null, 'archived'), sold]))).toEqual([sold]);
});

it('the variant for sale is the product itself where an event names none', () => {
  const own = { id: 'var_1', sku: 'P', values: [], price: eur(1000), tradePrice: eur(900), stock: 7, weight: null };
  expect(activeVariants(product())).toEqual([{ ...own, status: 'active' }]);
});

it.each([
  ['the product itself where an event names no variants', undefined, { price: eur(1000), tradePrice: eur(900) }],
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
  expect(lowestPrices(product(variants))).toEqual(expected);
});
