import { expect, it } from 'vitest';
import type { PricedVariant } from '../variant-price.ts';
import { faultsOfShopper } from './shopper-holds.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const variant = (id: string, stock: number): PricedVariant => {
  return { id, sku: id, values: [], price: eur(1), tradePrice: null, quantityPrices: [], stock };
};
const products = new Map([
  ['prod_a', { variants: [variant('var_a', 5)] }],
  ['prod_b', { variants: [variant('var_b', -2)] }],
  ['prod_c', { variants: [variant('var_s', 5), variant('var_m', 50)] }],
]);
const faultsOf = (cart: Parameters<typeof faultsOfShopper>[0]) =>
  faultsOfShopper(cart, products, 10_000).map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);

it('finds a missing hold, dear shipping and each line beyond the stock, all at once', () => {
  const lines = [
    { productId: 'prod_a', quantity: 3 },
    { productId: 'prod_b', quantity: 1 },
    { productId: 'prod_a', variantId: 'var_a', quantity: 3 },
    { productId: 'prod_c', variantId: 'var_s', quantity: 6 },
  ];
  expect(faultsOf({ lines, shipping: eur(10_001) })).toEqual([
    expect.stringMatching('^/hold hold_required: '),
    expect.stringMatching('^/shipping/amount too_big: .*10000$'),
    expect.stringMatching('^/lines/1/quantity not_enough_stock: .* 0$'),
    expect.stringMatching('^/lines/2/quantity not_enough_stock: .* 5$'),
    expect.stringMatching('^/lines/3/quantity not_enough_stock: .* 5$'),
  ]);
});

it('finds nothing in what can be ordered, and leaves unknown products and variants to others', () => {
  const lines = [
    { productId: 'prod_a', quantity: 5 },
    { productId: 'prod_c', variantId: 'var_s', quantity: 5 },
    { productId: 'prod_c', variantId: 'var_m', quantity: 50 },
    { productId: 'prod_c', quantity: 1000 },
    { productId: 'prod_c', variantId: 'var_a', quantity: 1000 },
    { productId: 'prod_unknown', quantity: 1000 },
  ];
  expect(faultsOf({ hold: {}, lines, shipping: eur(10_000) })).toEqual([]);
});
