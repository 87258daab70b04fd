import { describe, expect, it } from 'vitest';
import { catalogProduct, type CategoryCopy, type ProductCopy } from './copies.ts';

const mug = {
  name: 'Mug',
  categoryIds: ['cat_cups', 'cat_gifts'],
  listed: true,
  variants: [
    {
      id: 'var_mug',
      sku: 'MUG',
      price: { amount: 1999, currency: 'EUR' },
      tradePrice: { amount: 1450, currency: 'EUR' },
      values: [],
      quantityPrices: [],
      stock: 7,
    },
  ],
};
const copy = (more: Partial<ProductCopy> = {}): ProductCopy => ({
  id: 'prod_mug',
  sequence: 1,
  facts: mug,
  deleted: false,
  ...more,
});

const category = (id: string, path: readonly string[], deleted = false): [string, CategoryCopy] => [
  id,
  { id, sequence: 1, facts: { name: id, path }, deleted },
];

describe('a product as discounts see it', () => {
  it('is in its categories and all their ancestors, each once', () => {
    const categories = new Map([
      category('cat_cups', ['cat_home', 'cat_kitchen']),
      category('cat_gifts', ['cat_home']),
    ]);
    expect(catalogProduct(copy(), categories)).toEqual({
      id: 'prod_mug',
      name: 'Mug',
      categoryIds: ['cat_cups', 'cat_home', 'cat_kitchen', 'cat_gifts'],
      isListed: true,
      variants: mug.variants,
    });
  });

  it('is in a category of which nothing, or only the deletion, was heard: in the one without ancestors, in the other not', () => {
    expect(catalogProduct(copy(), new Map())?.categoryIds).toEqual(['cat_cups', 'cat_gifts']);
    const gone: CategoryCopy = { id: 'cat_cups', sequence: 2, facts: null, deleted: true };
    expect(catalogProduct(copy(), new Map([[gone.id, gone]]))?.categoryIds).toEqual(['cat_gifts']);
  });

  it('is not in a deleted category, nor in what was above that', () => {
    const categories = new Map([category('cat_cups', ['cat_home'], true), category('cat_gifts', [])]);
    expect(catalogProduct(copy(), categories)?.categoryIds).toEqual(['cat_gifts']);
  });

  it('is not listed where it is a draft, archived or deleted, and has its last name and variants', () => {
    expect(catalogProduct(copy({ facts: { ...mug, listed: false } }), new Map())?.isListed).toBe(false);
    expect(catalogProduct(copy({ deleted: true }), new Map())).toMatchObject({
      name: 'Mug',
      variants: mug.variants,
      isListed: false,
    });
  });

  it('does not exist where its deletion is all that was heard of', () => {
    expect(catalogProduct(copy({ facts: null, deleted: true }), new Map())).toBeNull();
  });
});
