import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buyXGetYs, categories, lineOf, runs, selectors } from '../../../../test/arbitrary-carts.ts';
import { campaignOf, everything, only } from '../../../../test/carts.ts';
import type { Selector } from '../campaigns/rules.ts';
import { compile } from './compiled-campaigns.ts';

const matches = (items: Selector, productId: string, variantId: string | null = null) =>
  compile(campaignOf({ type: 'fixed-amount', amount: 1, target: 'items', items })).takesFrom({
    productId,
    variantId,
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

  it.each([
    ['a variant', only({ variants: ['var_a_s'] }), 'var_a_s', true],
    ['a variant', only({ variants: ['var_a_s'] }), 'var_a_m', false],
    ['a variant', only({ variants: ['var_a_s'] }), null, false],
    ['a product', only({ products: ['prod_a'] }), 'var_a_m', true],
    ['a variant or a category', only({ variants: ['var_b_s'], categories: ['cat_shirts'] }), 'var_a_m', true],
    ['a product without a variant', only({ products: ['prod_a'], excludedVariants: ['var_a_s'] }), 'var_a_s', false],
    ['a product without a variant', only({ products: ['prod_a'], excludedVariants: ['var_a_s'] }), 'var_a_m', true],
    [
      'a variant of an excluded product',
      only({ variants: ['var_a_s'], excludedProducts: ['prod_a'] }),
      'var_a_s',
      false,
    ],
    ['no variant', only({ variants: [] }), 'var_a_s', false],
  ])('of %s: %o, %s of prod_a: %s', (_what, items, variantId, isMatch) => {
    expect(matches(items, 'prod_a', variantId)).toBe(isMatch);
  });

  it('matches what it names, never what it excludes', () => {
    fc.assert(
      fc.property(selectors, lineOf(fc.constant(1)), (items, { productId, variantId, categoryIds }) => {
        const isNamed =
          (items.products === null && items.variants === null && items.categories === null) ||
          (items.products ?? []).includes(productId) ||
          (items.variants ?? []).includes(variantId ?? '') ||
          (items.categories ?? []).some((id) => categoryIds.includes(id));
        const isExcluded =
          items.excludedProducts.includes(productId) || items.excludedVariants.includes(variantId ?? '');
        expect(matches(items, productId, variantId)).toBe(isNamed && !isExcluded);
      }),
      runs,
    );
  });
});

describe('a compiled campaign', () => {
  it('of buy x get y takes from what is given and counts what is bought', () => {
    fc.assert(
      fc.property(buyXGetYs, lineOf(fc.constant(1)), (discount, item) => {
        const { takesFrom, buys } = compile(campaignOf(discount));
        expect(takesFrom(item)).toBe(matches(discount.get.items, item.productId, item.variantId));
        expect(buys(item)).toBe(matches(discount.buy.items, item.productId, item.variantId));
      }),
      runs,
    );
  });

  it('of free shipping takes from no product', () => {
    const { takesFrom, buys } = compile(campaignOf({ type: 'free-shipping', maximumAmount: null }));
    const item = { productId: 'prod_a', variantId: 'var_a_s', categoryIds: ['cat_all'] };
    expect([takesFrom(item), buys(item)]).toEqual([false, false]);
  });
});
