import { describe, expect, it } from 'vitest';
import { isVisible, showProduct, toMinorUnits } from './pricing.ts';
import { newProduct } from './product.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const given = {
  sku: 'A',
  name: 'A',
  description: null,
  categoryIds: [],
  images: [],
  price: eur(1000),
  tradePrice: eur(700),
  stock: 0,
  status: 'draft' as const,
};
const product = newProduct(given, { id: 'prod_1', slug: 'a', now: new Date(0) });

describe('showing a product', () => {
  it.each([
    [undefined, false, false],
    ['retail', false, false],
    ['trade', true, false],
    ['admin', true, true],
  ] as const)('to %s', (role, seesTradePrice, seesDrafts) => {
    expect(showProduct(product, role).tradePrice).toEqual(seesTradePrice ? eur(700) : undefined);
    expect(isVisible(product, role)).toBe(seesDrafts);
    expect(isVisible({ status: 'active' }, role)).toBe(true);
  });

  it('gives nothing away that is not asked for', () => {
    expect(Object.keys(showProduct(product, 'admin')).toSorted((one, other) => one.localeCompare(other))).toEqual(
      'categoryIds createdAt description id images name price sku slug status stock tradePrice updatedAt'.split(' '),
    );
  });
});

describe('amounts in words', () => {
  it.each([
    ['19.99', 'EUR', 1999],
    ['4.35', 'EUR', 435],
    ['1.1', 'EUR', 110],
    ['0', 'EUR', 0],
    [' 7 ', 'EUR', 700],
    ['1500', 'JPY', 1500],
    ['1.234', 'BHD', 1234],
  ])('%s %s', (words, currency, amount) => {
    expect(toMinorUnits(words, currency)).toEqual({ amount, currency });
  });

  it.each([
    ['1.999', 'EUR'],
    ['1.5', 'JPY'],
    ['-1', 'EUR'],
    ['1,50', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['.5', 'EUR'],
  ])('not %j %s', (words, currency) => {
    expect(toMinorUnits(words, currency)).toBeUndefined();
  });
});
