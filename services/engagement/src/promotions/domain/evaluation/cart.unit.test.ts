import { Refusal, type http } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import type { PricedVariant } from '../variant-price.ts';
import { buyerOf, pricedCart, type PricedProduct } from './cart.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const offer = (id: string, price: http.Money, more: Partial<PricedVariant> = {}): PricedVariant => ({
  id,
  sku: `SKU of ${id}`,
  price,
  tradePrice: null,
  values: [],
  quantityPrices: [],
  stock: 9,
  ...more,
});
const sold = (...variants: readonly PricedVariant[]): PricedProduct => ({ categoryIds: [], isListed: true, variants });
const products = new Map([
  ['prod_a', { ...sold(offer('var_a', eur(1000), { tradePrice: eur(800) })), categoryIds: ['cat_a'] }],
  ['prod_b', sold(offer('var_b', eur(500)))],
  ['prod_c', { ...sold(offer('var_c', eur(500))), isListed: false }],
  ['prod_d', sold(offer('var_d', { amount: 5, currency: 'GBP' }))],
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
  const small = offer('var_s', eur(1000), { tradePrice: eur(900) });
  const quantityPrices = [
    { from: 10, price: eur(1000) },
    { from: 20, price: eur(800) },
  ];
  const medium = offer('var_m', eur(1200), { quantityPrices });
  const shop = new Map([
    ['prod_s', sold(small, medium)],
    ['prod_1', sold(medium)],
  ]);
  type Wanted = [productId: string, variantId: string | undefined, quantity: number];
  const linesOf = (segment: 'retail' | 'trade', ...requested: readonly Wanted[]) =>
    pricedCart(
      { lines: requested.map(([productId, variantId, quantity]) => ({ productId, variantId, quantity })) },
      'EUR',
      segment,
      shop,
    ).lines;
  const pricesOf = (...args: Parameters<typeof linesOf>) => linesOf(...args).map(({ unitPrice }) => unitPrice);

  it('costs what the variant costs, for trade by the quantity of all its lines', () => {
    expect(pricesOf('retail', ['prod_s', 'var_s', 50], ['prod_s', 'var_m', 50])).toEqual([1000, 1200]);
    expect(pricesOf('trade', ['prod_s', 'var_s', 50], ['prod_s', 'var_m', 9])).toEqual([900, 1200]);
    expect(pricesOf('trade', ['prod_s', 'var_m', 10])).toEqual([1000]);
    expect(pricesOf('trade', ['prod_s', 'var_m', 15], ['prod_s', 'var_m', 5])).toEqual([800, 800]);
  });

  it('needs no variant named where there is only one, whose lines count together whether they name it or not', () => {
    const lines = linesOf('trade', ['prod_1', undefined, 15], ['prod_1', 'var_m', 5]);
    expect(lines.map(({ variantId, sku, unitPrice }) => [variantId, sku, unitPrice])).toEqual([
      ['var_m', 'SKU of var_m', 800],
      ['var_m', 'SKU of var_m', 800],
    ]);
  });

  it('needs one of several named', () => {
    expect(refusalOf(() => pricesOf('retail', ['prod_s', undefined, 1], ['prod_s', 'var_l', 1]))).toEqual([
      'validation_failed',
      ['/lines/0/variantId variant_required', '/lines/1/variantId unknown_variant'],
    ]);
  });

  it('may be bought for a stated price without a variant, or in one that is no longer for sale', () => {
    const stated = [
      { productId: 'prod_s', quantity: 1, unitPrice: eur(7) },
      { productId: 'prod_s', variantId: 'var_l', quantity: 1, unitPrice: eur(8) },
    ];
    const { lines } = pricedCart({ lines: stated }, 'EUR', 'retail', shop);
    expect(lines.map(({ variantId, sku, unitPrice }) => [variantId, sku, unitPrice])).toEqual([
      [null, null, 7],
      ['var_l', null, 8],
    ]);
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
  const dear = new Map([['prod_a', sold(offer('var_a', eur(10 ** 12)))]]);
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
