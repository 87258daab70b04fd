import { catalogHttp, newId } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { newProduct } from '../domain/product.ts';
import { showProduct } from './show-product.ts';
import { createPageWriter } from './write-products.ts';

it('writes the same products for each viewer, once they were written for another', async () => {
  const apiUrl = 'https://api.example';
  const price = { amount: 1000, currency: 'EUR' };
  const creation = { price, tradePrice: { ...price, amount: 700 }, options: [{ name: 'Size', values: ['S'] }] };
  const data = ['A "mug"', 'B'].map((name) =>
    newProduct(catalogHttp.productCreation.parse({ ...creation, sku: 'A', name }), {
      id: newId('prod'),
      slug: 'a',
      now: new Date(0),
    }),
  );
  const write = createPageWriter(apiUrl);
  for (const viewer of ['staff', 'public', 'trade', 'public', 'staff'] as const) {
    const facets = [{ type: 'values' as const, field: 'category', values: [], hasMore: false }];
    const page = { nextCursor: 'next', count: { value: 2, exact: true }, facets };
    const shown = data.map((product) => showProduct(product, viewer, apiUrl));
    expect(JSON.parse(await write({ data, ...page }, viewer))).toEqual({ data: shown, ...page });
    expect(JSON.parse(await write({ data: [], nextCursor: null }, viewer))).toEqual({ data: [], nextCursor: null });
  }
});
