import { catalogHttp } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { countChanges, countedCategories, unknownCategories } from './category-counts.ts';
import { newProduct, type Product } from './product.ts';

const uncategorized = newProduct(
  catalogHttp.productCreation.parse({ sku: 'MUG-1', name: 'Mug', price: { amount: 1, currency: 'EUR' } }),
  { id: 'prod_1', slug: 'mug', now: new Date(0) },
);

const product: Product = { ...uncategorized, categoryIds: ['cat_a', 'cat_b'] };

describe('counts of products in categories', () => {
  // cat_a and cat_b are in cat_root; cat_c is not.
  const pathOf = (id: string) => (id === 'cat_c' ? [] : ['cat_root']);

  it.each<[string, Product | null, Product | null, Record<string, [number, number]>]>([
    ['creation', null, product, { cat_a: [1, 1], cat_b: [1, 1], cat_root: [0, 1] }],
    ['deletion', product, null, { cat_a: [-1, -1], cat_b: [-1, -1], cat_root: [0, -1] }],
    [
      'a move',
      product,
      { ...product, categoryIds: ['cat_b', 'cat_c'] },
      { cat_a: [-1, -1], cat_b: [0, 0], cat_c: [1, 1] },
    ],
    [
      'a move into the category above',
      product,
      { ...product, categoryIds: ['cat_root'] },
      { cat_a: [-1, -1], cat_b: [-1, -1], cat_root: [1, 0] },
    ],
    ['archiving', product, { ...product, status: 'archived' }, { cat_a: [0, -1], cat_b: [0, -1], cat_root: [0, -1] }],
    ['a change of something else', product, { ...product, name: 'Cup' }, {}],
  ])('change by %s', (_what, before, after, expected) => {
    const counts = [...countChanges([{ before, after }], pathOf)];
    const pairs = counts.map(([id, { products, activeProducts }]) => [id, [products, activeProducts]]);
    expect(Object.fromEntries(pairs)).toEqual(expected);
    const entered = Object.entries(expected).filter(([, [products]]) => products !== 0);
    expect(countedCategories([{ before, after }])).toEqual(expect.arrayContaining(entered.map(([id]) => id)));
  });

  it('add up over several products, to zero where one comes as another leaves', () => {
    const draft: Product = { ...product, status: 'draft' };
    const counts = countChanges(
      [
        { before: null, after: draft },
        { before: product, after: null },
      ],
      pathOf,
    );
    expect(counts.get('cat_a')).toEqual({ products: 0, activeProducts: -1 });
  });

  it('name every field with a category that does not exist', () => {
    expect(unknownCategories([{ before: null, after: product }], new Set(['cat_a', 'cat_b']))).toMatchObject([
      { pointer: '/categoryIds/0', code: 'unknown_category' },
      { pointer: '/categoryIds/1', code: 'unknown_category' },
    ]);
  });
});
