import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf, runs, uses } from '../../../../test/arbitrary-carts.ts';
import { campaignOf, evaluated, only } from '../../../../test/carts.ts';
import { byPriority, isOfAll, type CampaignRules, type Selector } from '../campaigns/rules.ts';
import { compile, indexOf } from './compiled-campaigns.ts';

function selectorsOf({ discount }: CampaignRules): Selector[] {
  if (discount.type === 'free-shipping') return [];
  return discount.type === 'buy-x-get-y' ? [discount.buy.items, discount.get.items] : [discount.items];
}

it('finds the campaigns that match a line, and those of all products or of the shipping, by priority', () => {
  fc.assert(
    fc.property(uses, linesOf(fc.constant(100)), (campaigns, lines) => {
      const rules = campaigns.map(({ campaign }) => campaign.rules);
      const expected = rules.filter((each) => {
        const { takesFrom, buys } = compile(each);
        const isAlways = each.discount.type === 'free-shipping' || selectorsOf(each).some(isOfAll);
        return isAlways || lines.some((line) => takesFrom(line) || buys(line));
      });
      const found = indexOf(rules.map(compile)).touching(lines);
      expect(found.map((each) => each.rules)).toEqual(expected.toSorted(byPriority));
    }),
    runs,
  );
});

it('leaves out none that would apply', () => {
  fc.assert(
    fc.property(uses, linesOf(fc.nat(3000)), (campaigns, lines) => {
      const cart = { currency: 'EUR', lines, shipping: 500 };
      const found = indexOf(campaigns.map(({ campaign }) => campaign)).touching(lines);
      const touching = campaigns.filter(({ campaign }) => found.some(({ rules }) => rules === campaign.rules));
      expect(evaluated({ cart, campaigns: touching }).lines).toEqual(evaluated({ cart, campaigns }).lines);
    }),
    runs,
  );
});

it('does not look at campaigns that name no product, variant or category of the cart', () => {
  /** How often the item is looked at where there are so many other campaigns. */
  const looksWith = (others: number) => {
    let looks = 0;
    const item = {
      get productId() {
        looks += 1;
        return 'prod_0';
      },
      get variantId() {
        looks += 1;
        return 'var_0';
      },
      categoryIds: ['cat_0'],
    };
    const index = indexOf(
      Array.from({ length: others + 1 }, (_, number) => {
        const items = only({
          products: [`prod_${number}`],
          variants: [`var_${number}`],
          categories: [`cat_${number}`],
        });
        return compile(
          campaignOf({ type: 'fixed-amount', amount: 1, target: 'items', items }, { id: `camp_${number}` }),
        );
      }),
    );
    expect(index.touching([item]).map(({ rules }) => rules.id)).toEqual(['camp_0']);
    return looks;
  };
  expect(looksWith(1000)).toBe(looksWith(0));
});
