import { describe, expect, it } from 'vitest';
import { newProduct } from '../domain/product.ts';
import { seesProduct } from '../domain/visibility.ts';
import { showProduct } from './show-product.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const fields = {
  sku: 'A',
  name: 'A',
  description: null,
  categoryIds: [],
  attributes: {},
  images: [],
  price: eur(1000),
  tradePrice: eur(700),
  stock: 0,
  status: 'draft' as const,
};
const apiUrl = 'https://api.example';
const product = newProduct(fields, { id: 'prod_1', slug: 'a', now: new Date(0) });

describe('showing a product', () => {
  it.each([
    ['public', false, false],
    ['trade', true, false],
    ['staff', true, true],
  ] as const)('to %s', (viewer, seesTradePrice, seesDrafts) => {
    expect(showProduct(product, viewer, apiUrl).tradePrice).toEqual(seesTradePrice ? eur(700) : undefined);
    expect(seesProduct(product, viewer)).toBe(seesDrafts);
    expect(seesProduct({ status: 'active' }, viewer)).toBe(true);
  });

  it('shows no field that the API does not have', () => {
    expect(
      Object.keys(showProduct(product, 'staff', apiUrl)).toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(
      'attributes categoryIds createdAt description id images name price sku slug status stock tradePrice updatedAt'.split(
        ' ',
      ),
    );
  });
});
