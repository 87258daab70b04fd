import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buyXGetYs, categories, lineOf, runs, selectors } from '../../../../test/arbitrary-carts.ts';
import { campaignOf, everything, only } from '../../../../test/carts.ts';
import type { Selector } from '../campaigns/rules.ts';
import { compile } from './compiled-campaigns.ts';

const matches = (items: Selector, productId: string) =>
  compile(campaignOf({ type: 'fixed-amount', amount: 1, target: 'items', items })).takesFrom({
    productId,
    categoryIds: categories[productId] ?? [],
  });

describe('a selector', () => {
  it.each([
    ['all products', everything, 'prod_e', true],
    ['a product', only({ products: ['prod_a'] }), 'prod_a', true],
    ['a product', only({ products: ['prod_a'] }), 'prod_b', false],
    ['a category', only({ categories: ['cat_shirts'] }), 'prod_b', true],
    ['an ancestor', only({ categories: ['cat_all'] }), 'prod_b', true],
    ['a category', only({ categories: ['cat_shirts'] }), 'prod_c', false],
    ['a product or a category', only({ products: ['prod_e'], categories: ['cat_ties'] }), 'prod_e', true],
    ['a product or a category', only({ products: ['prod_e'], categories: ['cat_ties'] }), 'prod_c', true],
    ['all but one', only({ excludedProducts: ['prod_a'] }), 'prod_a', false],
    ['all but one', only({ excludedProducts: ['prod_a'] }), 'prod_b', true],
    ['a category without one', only({ categories: ['cat_all'], excludedProducts: ['prod_a'] }), 'prod_a', false],
    ['a product that is excluded too', only({ products: ['prod_a'], excludedProducts: ['prod_a'] }), 'prod_a', false],
    ['no product', only({ products: [] }), 'prod_a', false],
  ])('of %s: %o, %s: %s', (_what, items, productId, isMatch) => {
    expect(matches(items, productId)).toBe(isMatch);
  });

  it('matches what it names, never what it excludes', () => {
    fc.assert(
      fc.property(selectors, fc.constantFrom(...Object.keys(categories)), (items, productId) => {
        const isNamed =
          (items.products === null && items.categories === null) ||
          (items.products ?? []).includes(productId) ||
          (items.categories ?? []).some((id) => categories[productId]?.includes(id));
        expect(matches(items, productId)).toBe(isNamed && !items.excludedProducts.includes(productId));
      }),
      runs,
    );
  });
});

describe('a compiled campaign', () => {
  it('of buy x get y takes from what is given and counts what is bought', () => {
    fc.assert(
      fc.property(buyXGetYs, lineOf(fc.constant(1)), (discount, product) => {
        const { takesFrom, buys } = compile(campaignOf(discount));
        expect(takesFrom(product)).toBe(matches(discount.get.items, product.productId));
        expect(buys(product)).toBe(matches(discount.buy.items, product.productId));
      }),
      runs,
    );
  });

  it('of free shipping takes from no product', () => {
    const { takesFrom, buys } = compile(campaignOf({ type: 'free-shipping', maximumAmount: null }));
    const product = { productId: 'prod_a', categoryIds: ['cat_all'] };
    expect([takesFrom(product), buys(product)]).toEqual([false, false]);
  });
});
