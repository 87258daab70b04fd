import { Refusal } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { buyerOf, pricedCart } from './cart.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const products = new Map([
  ['prod_a', { categoryIds: ['cat_a'], price: eur(1000), tradePrice: eur(800), isListed: true, stock: 9 }],
  ['prod_b', { categoryIds: [], price: eur(500), tradePrice: null, isListed: true, stock: 9 }],
  ['prod_c', { categoryIds: [], price: eur(500), tradePrice: null, isListed: false, stock: 9 }],
  ['prod_d', { categoryIds: [], price: { amount: 5, currency: 'GBP' }, tradePrice: null, isListed: true, stock: 9 }],
]);

function refusalOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.fields?.map(({ pointer, code }) => `${pointer} ${code}`)];
    throw error;
  }
  return null;
}

const lines = (...ids: string[]) => ids.map((productId) => ({ productId, quantity: 1 }));

it('takes the prices of the catalog, those for trade where there is one', () => {
  const requested = { lines: lines('prod_a', 'prod_b') };
  const prices = (segment: 'retail' | 'trade') =>
    pricedCart(requested, 'EUR', segment, products).lines.map(({ unitPrice }) => unitPrice);
  expect([prices('retail'), prices('trade')]).toEqual([
    [1000, 500],
    [800, 500],
  ]);
  expect(pricedCart(requested, 'EUR', 'retail', products)).toMatchObject({
    currency: 'EUR',
    shipping: null,
    lines: [
      { lineId: '1', categoryIds: ['cat_a'] },
      { lineId: '2', categoryIds: [] },
    ],
  });
});

describe('a product with variants', () => {
  const small = { id: 'var_s', price: eur(1000), tradePrice: eur(900), quantityPrices: [] };
  const medium = {
    id: 'var_m',
    price: eur(1200),
    tradePrice: null,
    quantityPrices: [
      { from: 10, price: eur(1000) },
      { from: 20, price: eur(800) },
    ],
  };
  const shirt = { categoryIds: [], price: eur(1), tradePrice: null, isListed: true, stock: 99 };
  const shop = new Map([
    ['prod_s', { ...shirt, variants: [small, medium] }],
    ['prod_1', { ...shirt, variants: [medium] }],
  ]);
  const pricesOf = (
    segment: 'retail' | 'trade',
    ...requested: [productId: string, variantId: string | undefined, quantity: number][]
  ) =>
    pricedCart(
      { lines: requested.map(([productId, variantId, quantity]) => ({ productId, variantId, quantity })) },
      'EUR',
      segment,
      shop,
    ).lines.map(({ unitPrice }) => unitPrice);

  it('costs what the variant costs, for trade by the quantity of all its lines', () => {
    expect(pricesOf('retail', ['prod_s', 'var_s', 50], ['prod_s', 'var_m', 50])).toEqual([1000, 1200]);
    expect(pricesOf('trade', ['prod_s', 'var_s', 50], ['prod_s', 'var_m', 9])).toEqual([900, 1200]);
    expect(pricesOf('trade', ['prod_s', 'var_m', 10])).toEqual([1000]);
    expect(pricesOf('trade', ['prod_s', 'var_m', 15], ['prod_s', 'var_m', 5])).toEqual([800, 800]);
  });

  it('needs no variant named where there is only one', () => {
    expect(pricesOf('retail', ['prod_1', undefined, 1])).toEqual([1200]);
    const requested = [
      ['prod_s', undefined, 1],
      ['prod_s', 'var_l', 1],
    ] as const;
    expect(
      refusalOf(() =>
        pricesOf('retail', ...requested.map((each) => [...each] as [string, string | undefined, number])),
      ),
    ).toEqual(['validation_failed', ['/lines/0/variantId variant_required', '/lines/1/variantId unknown_variant']]);
  });
});

it('names every line that can not be sold, unless its price is stated', () => {
  const requested = { lines: lines('prod_a', 'prod_x', 'prod_c', 'prod_d') };
  expect(refusalOf(() => pricedCart(requested, 'EUR', 'retail', products))).toEqual([
    'validation_failed',
    ['/lines/1/productId unknown_product', '/lines/2/productId unknown_product', '/lines/3/productId other_currency'],
  ]);
  const stated = { lines: requested.lines.map((line) => ({ ...line, unitPrice: eur(7) })) };
  expect(pricedCart(stated, 'EUR', 'retail', products).lines.map(({ unitPrice }) => unitPrice)).toEqual([7, 7, 7, 7]);
});

it('refuses a cart whose total would not be exact', () => {
  const dear = new Map([
    ['prod_a', { categoryIds: [], price: eur(10 ** 12), tradePrice: null, isListed: true, stock: 9 }],
  ]);
  const requested = { lines: [{ productId: 'prod_a', quantity: 10_000 }] };
  expect(refusalOf(() => pricedCart(requested, 'EUR', 'retail', dear))).toEqual([
    'validation_failed',
    ['/lines too_big'],
  ]);
});

it('lets only staff name the buyer, and names every field that others may not state', () => {
  const stated = {
    segment: 'trade' as const,
    userId: 'user_x',
    at: new Date(0),
    lines: [{}, { unitPrice: eur(5) }],
  };
  for (const caller of [null, { sub: 'user_a', role: 'trade' }])
    expect(refusalOf(() => buyerOf(caller, false, stated))).toEqual([
      'role_required',
      ['/segment', '/userId', '/at', '/lines/1/unitPrice'].map((at) => `${at} role_required`),
    ]);
  expect(buyerOf({ sub: 'user_a', role: 'marketing' }, true, stated)).toEqual({
    segment: 'trade',
    userId: 'user_x',
    isStaff: true,
  });
  expect(buyerOf({ sub: 'user_a', role: 'marketing' }, true, { lines: [] })).toEqual({
    segment: 'retail',
    userId: null,
    isStaff: true,
  });
  expect(buyerOf({ sub: 'user_a', role: 'trade' }, false, { lines: [] })).toEqual({
    segment: 'trade',
    userId: 'user_a',
    isStaff: false,
  });
  expect(buyerOf(null, false, { lines: [] })).toEqual({ segment: 'retail', userId: null, isStaff: false });
});
