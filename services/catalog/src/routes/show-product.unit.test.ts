import { catalogHttp, newId } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { newProduct } from '../domain/product.ts';
import { withTotals } from '../domain/variants.ts';
import { seesProduct } from '../domain/visibility.ts';
import { showProduct } from './show-product.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const fields = catalogHttp.productCreation.parse({
  sku: 'A',
  name: 'A',
  price: eur(1000),
  tradePrice: eur(700),
  status: 'draft',
  options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
  variants: [
    { sku: 'S', values: ['S'], tradePrice: eur(600) },
    { sku: 'M', values: ['M'], price: eur(1200) },
    { sku: 'L', values: ['L'], price: eur(900), status: 'archived' },
  ],
});
const apiUrl = 'https://api.example';
const product = newProduct(fields, { id: newId('prod'), slug: 'a', now: new Date(0) });

describe('showing a product', () => {
  it.each([
    ['public', false, false],
    ['trade', true, false],
    ['staff', true, true],
  ] as const)('to %s', (viewer, seesTradePrice, seesDrafts) => {
    const shown = showProduct(product, viewer, apiUrl);
    expect(shown.tradePrice).toEqual(seesTradePrice ? eur(700) : undefined);
    expect(shown.variants.map(({ sku }) => sku)).toEqual(seesDrafts ? ['S', 'M', 'L'] : ['S', 'M']);
    for (const field of ['tradePrice', 'quantityPrices'])
      for (const part of [shown, ...shown.variants]) expect(field in part).toBe(seesTradePrice);
    expect('lowStockThreshold' in shown).toBe(viewer === 'staff');
    for (const part of [shown, ...shown.variants]) expect('reserved' in part).toBe(viewer === 'staff');
    expect(shown.priceRange).toEqual({ min: eur(1000), max: eur(1200) });
    expect(seesProduct(product, viewer)).toBe(seesDrafts);
    expect(seesProduct({ status: 'active' }, viewer)).toBe(true);
  });

  it('has the stock that is free, and to staff the counted one with what is reserved', () => {
    const [small, medium, large] = product.variants;
    if (!small || !medium || !large) throw new Error('the product has three variants');
    const variants = [
      { ...small, stock: 5, reserved: 2 },
      { ...medium, stock: 1, reserved: 4 },
      { ...large, stock: 7 },
    ];
    const stocked = withTotals({ ...product, variants });
    const numbersOf = (viewer: 'public' | 'staff') => {
      const shown = showProduct(stocked, viewer, apiUrl);
      return [shown, ...shown.variants].map(({ stock, reserved }) => [stock, reserved]);
    };
    expect(numbersOf('public')).toEqual([
      [3, undefined],
      [3, undefined],
      [0, undefined],
    ]);
    expect(numbersOf('staff')).toEqual([
      [6, 6],
      [5, 2],
      [1, 4],
      [7, 0],
    ]);
  });

  it('shows no field that the API does not have', () => {
    const namesOf = (shown: object | undefined) =>
      Object.keys(shown ?? {}).toSorted((one, other) => one.localeCompare(other));
    const shown = showProduct(product, 'staff', apiUrl);
    expect(namesOf(shown)).toEqual(
      (
        'attributes availableFrom backOrders categoryIds createdAt description id images lowStockThreshold name options price ' +
        'priceRange quantityPrices relatedIds reserved sku slug status stock taxClass tradePrice updatedAt variants weight'
      ).split(' '),
    );
    expect(namesOf(shown.variants[0])).toEqual(
      'id image price quantityPrices reserved sku status stock tradePrice values weight'.split(' '),
    );
  });
});
