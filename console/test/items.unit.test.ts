import type { CategoryNode } from '@storefront/client';
import { expect, it } from 'vitest';
import { allItems, isAmong, isOfAll, selectorOf, type Item, type Items } from '../src/pages/campaigns/items.ts';

const product: Item = { kind: 'product', id: 'prod_pot', name: 'Teapot' };
const [small, large] = ['small', 'large'].map((id): Item => ({ kind: 'variant', id, name: id })) as [Item, Item];
const node = (id: string, children: readonly CategoryNode[] = []) => ({ id, children }) as CategoryNode;
const cups = node('cups');
const categories = [node('ware', [cups]), cups];
const cart = { productId: product.id, variantId: small.id, categoryIds: ['cups'] };

it('names in a request only what was chosen', () => {
  expect(selectorOf(allItems)).toEqual({});
  expect(selectorOf({ chosen: [product, small], excluded: [large], categories: ['ware'] })).toEqual({
    products: [product.id],
    variants: [small.id],
    excludedVariants: [large.id],
    categories: ['ware'],
  });
  expect(selectorOf({ ...allItems, excluded: [product] })).toEqual({ excludedProducts: [product.id] });
});

it.each<[what: string, items: Partial<Items>, is: boolean]>([
  ['nothing chosen', {}, true],
  ['the product', { chosen: [product] }, true],
  ['its variant', { chosen: [small] }, true],
  ['another variant of it', { chosen: [large] }, false],
  ['a category above its own', { categories: ['ware'] }, true],
  ['another category', { categories: ['tea'] }, false],
  ['the category without the product', { categories: ['ware'], excluded: [product] }, false],
  ['the product without its variant', { chosen: [product], excluded: [small] }, false],
  ['all without another variant', { excluded: [large] }, true],
])('knows whether a variant is among the items: %s', (_what, items, is) => {
  expect(isAmong(cart, { ...allItems, ...items }, categories)).toBe(is);
});

it('is of all items until something is chosen, whatever is left out', () => {
  expect(isOfAll({ ...allItems, excluded: [product] })).toBe(true);
  expect(isOfAll({ ...allItems, chosen: [small] })).toBe(false);
});
