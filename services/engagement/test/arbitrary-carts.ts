import * as fc from 'fast-check';
import type { CampaignRules, Discount, Selector } from '../src/promotions/domain/campaigns/rules.ts';
import type { Cart, CartLine } from '../src/promotions/domain/evaluation/cart.ts';
import type { CampaignUse } from '../src/promotions/domain/evaluation/deductions.ts';
import { campaignOf, everything, useOf } from './carts.ts';
import { inject } from 'vitest';

/** How often properties are tried. */
export const runs = { numRuns: inject('isProof') ? 10_000 : 200 };

/** What there is to buy. `cat_all` is the ancestor of the other categories. */
export const categories: Readonly<Record<string, readonly string[]>> = {
  prod_a: ['cat_shirts', 'cat_all'],
  prod_b: ['cat_shirts', 'cat_all'],
  prod_c: ['cat_ties', 'cat_all'],
  prod_d: ['cat_ties', 'cat_all'],
  prod_e: [],
};
const products = Object.keys(categories);

const price = fc.oneof(
  fc.nat(5),
  fc.constantFrom(100, 200),
  fc.nat(3000),
  fc.integer({ min: 1, max: 1_000_000_000_000 }),
);

/** Each product has two variants. */
const variantsOf = (productId: string) => ['s', 'm'].map((size) => `${productId.replace('prod', 'var')}_${size}`);
const variants = products.flatMap(variantsOf);

/** Some lines do not say which variant they are about. */
export const lineOf = (unitPrice: fc.Arbitrary<number>, maxQuantity = 5) =>
  fc.constantFrom(...products).chain((productId) =>
    fc.record({
      productId: fc.constant(productId),
      variantId: fc.constantFrom(...variantsOf(productId), null),
      sku: fc.constant(null),
      quantity: fc.integer({ min: 1, max: maxQuantity }),
      unitPrice,
      categoryIds: fc.constant(categories[productId] ?? []),
    }),
  );

/** Lines with ids of their own. */
export const linesOf = (unitPrice: fc.Arbitrary<number>, maxLength = 6): fc.Arbitrary<CartLine[]> =>
  fc
    .array(lineOf(unitPrice), { maxLength })
    .map((lines) => lines.map((line, index) => ({ ...line, lineId: `line_${index}` })));

export const carts: fc.Arbitrary<Cart> = fc.record({
  currency: fc.constant('EUR'),
  lines: linesOf(price),
  shipping: fc.option(fc.nat(1000)),
});

const selected: fc.Arbitrary<Selector> = fc.record({
  products: fc.option(fc.subarray(products)),
  variants: fc.option(fc.subarray(variants)),
  categories: fc.option(fc.subarray(['cat_shirts', 'cat_ties', 'cat_all'])),
  excludedProducts: fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, fc.subarray(products)),
  excludedVariants: fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, fc.subarray(variants)),
});

export const selectors = fc.oneof(fc.constant(everything), { arbitrary: selected, weight: 3 });

const basisPoints = fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1000, 5000, 10_000));
const amount = fc.integer({ min: 1, max: 5000 });
const target = fc.constantFrom('order', 'items');
const count = fc.integer({ min: 1, max: 3 });

export const percentages = fc.record({
  type: fc.constant('percentage'),
  basisPoints,
  target,
  items: selectors,
  maximumAmount: fc.option(amount, { freq: 2 }),
});
export const fixedAmounts = fc.record({ type: fc.constant('fixed-amount'), amount, target, items: selectors });
export const buyXGetYs = fc.record({
  type: fc.constant('buy-x-get-y'),
  buy: fc.record({ quantity: count, items: selectors }),
  get: fc.record({ quantity: count, items: selectors, basisPoints }),
  maximumApplications: fc.option(count),
});
export const freeShippings = fc.record({ type: fc.constant('free-shipping'), maximumAmount: fc.option(amount) });

const discounts: fc.Arbitrary<Discount> = fc.oneof(percentages, fixedAmounts, buyXGetYs, freeShippings);

export type Combination = CampaignRules['combination'];

/** Campaigns with ids of their own, and what was taken of their budgets. */
export const usesOf = (
  discount: fc.Arbitrary<Discount>,
  combination: fc.Arbitrary<Combination> = fc.constantFrom('stackable', 'stackable', 'exclusive'),
): fc.Arbitrary<CampaignUse[]> =>
  fc
    .array(
      fc.record({
        discount,
        combination,
        priority: fc.nat(2),
        budget: fc.option(fc.nat(3000), { freq: 2 }),
        used: fc.nat(1000),
        minimumSubtotal: fc.option(fc.nat(5000), { freq: 2 }),
        minimumQuantity: fc.option(fc.nat(8), { freq: 2 }),
      }),
      { maxLength: 6 },
    )
    .chain((list) =>
      // The order of the ids is not the order in which they are given.
      fc.shuffledSubarray(list, { minLength: list.length }).map((shuffled) =>
        shuffled.map((each) => {
          const { discount: taken, combination: how, priority, budget, used, minimumSubtotal, minimumQuantity } = each;
          const rules = campaignOf(taken, {
            id: `camp_${list.indexOf(each)}`,
            combination: how,
            priority,
            conditions: { minimumSubtotal, minimumQuantity },
            limits: { budget },
          });
          return useOf(rules, { usage: { redemptions: 1, amount: used } });
        }),
      ),
    );

/** Campaigns that often take the same amount. */
const evenUses = usesOf(
  fc.oneof(
    fc.record({
      type: fc.constant('fixed-amount'),
      amount: fc.constantFrom(50, 100),
      target,
      items: fc.constant(everything),
    }),
    fc.record({ type: fc.constant('free-shipping'), maximumAmount: fc.constantFrom(50, 100) }),
  ),
  fc.constantFrom('stackable', 'exclusive'),
);

export const uses = fc.oneof(usesOf(discounts), evenUses);
