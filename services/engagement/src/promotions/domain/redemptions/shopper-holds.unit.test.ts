import { expect, it } from 'vitest';
import { faultsOfShopper } from './shopper-holds.ts';

const products = new Map([
  ['prod_a', { stock: 5 }],
  ['prod_b', { stock: -2 }],
]);
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const faultsOf = (cart: Parameters<typeof faultsOfShopper>[0]) =>
  faultsOfShopper(cart, products, 10_000).map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);

it('finds a missing hold, dear shipping and each line beyond the stock, all at once', () => {
  const lines = [
    { productId: 'prod_a', quantity: 3 },
    { productId: 'prod_b', quantity: 1 },
    { productId: 'prod_a', quantity: 3 },
  ];
  expect(faultsOf({ lines, shipping: eur(10_001) })).toEqual([
    expect.stringMatching('^/hold hold_required: '),
    expect.stringMatching('^/shipping/amount too_big: .*10000$'),
    expect.stringMatching('^/lines/1/quantity not_enough_stock: .* 0$'),
    expect.stringMatching('^/lines/2/quantity not_enough_stock: .* 5$'),
  ]);
});

it('finds nothing in what can be ordered, and leaves unknown products to others', () => {
  const lines = [
    { productId: 'prod_a', quantity: 5 },
    { productId: 'prod_unknown', quantity: 1000 },
  ];
  expect(faultsOf({ hold: {}, lines, shipping: eur(10_000) })).toEqual([]);
});
