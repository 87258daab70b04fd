import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  carts,
  categories,
  fixedAmounts,
  freeShippings,
  linesOf,
  percentages,
  runs,
  uses,
  usesOf,
} from '../../../../test/arbitrary-carts.ts';
import { campaignOf, cartOf, evaluated, everything, line, useOf } from '../../../../test/carts.ts';
import { byPriority, type CampaignRules, type Selector } from '../campaigns/rules.ts';
import { pricedCart, priceOf, type Cart, type CartLine } from './cart.ts';
import type { CampaignUse } from './deductions.ts';
import type { CartEvaluation, EvaluatedCampaign } from './evaluation.ts';

type RequestedLine = Parameters<typeof pricedCart>[0]['lines'][number];

const stackables = usesOf(fc.oneof(percentages, fixedAmounts, freeShippings), fc.constant('stackable' as const));

const sumOf = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const savedBy = ({ discount, shippingDiscount }: CartEvaluation) => discount + shippingDiscount;
const appliedIn = ({ campaigns }: CartEvaluation) => campaigns.filter(({ applied }) => applied);
const isExclusive = ({ campaign }: CampaignUse) => campaign.rules.combination === 'exclusive';
const keyOf = ({ productId, variantId, unitPrice }: Pick<CartLine, 'productId' | 'variantId' | 'unitPrice'>) =>
  `${productId} ${variantId ?? ''} ${String(unitPrice).padStart(15, '0')}`;

/** Half up, by integers of any size. */
const halfUp = (dividend: bigint, divisor: bigint) => Number((2n * dividend + divisor) / (2n * divisor));

/** The totals, and what comes off all units of a variant at a price. */
function totalsOf({ lines, ...totals }: CartEvaluation) {
  const groups: Record<string, { quantity: number; discount: number }> = {};
  for (const evaluatedLine of lines) {
    const group = (groups[keyOf(evaluatedLine)] ??= { quantity: 0, discount: 0 });
    group.quantity += evaluatedLine.quantity;
    group.discount += evaluatedLine.discount;
  }
  return { ...totals, groups };
}

const phaseOf = ({ discount }: CampaignRules) => {
  if (discount.type === 'free-shipping') return 2;
  return discount.type !== 'buy-x-get-y' && discount.target === 'order' ? 1 : 0;
};

/** Whether a selector is about a line, in the words of its description. */
function isAbout(selector: Selector, { productId, variantId, categoryIds }: CartLine): boolean {
  const { products, variants, categories, excludedProducts, excludedVariants } = selector;
  if (excludedProducts.includes(productId) || excludedVariants.includes(variantId ?? '')) return false;
  if (products === null && variants === null && categories === null) return true;
  return (
    (products ?? []).includes(productId) ||
    (variants ?? []).includes(variantId ?? '') ||
    categoryIds.some((id) => (categories ?? []).includes(id))
  );
}

interface Step {
  readonly use: CampaignUse;
  readonly outcome: EvaluatedCampaign;
  /** What earlier campaigns left: of each matching group, ordered by product, variant and price, and of the shipping. */
  readonly left: ReadonlyMap<string, number>;
  readonly shippingLeft: number;
  /** What the campaign takes of each matching group. */
  readonly parts: ReadonlyMap<string, number>;
}

/** What each stackable campaign found and took, in the order of work, read from the discounts of the lines. */
function replayed(
  cart: Cart,
  campaigns: readonly CampaignUse[],
  { lines, campaigns: outcomes }: CartEvaluation,
): Step[] {
  const left = new Map<string, number>();
  for (const each of cart.lines.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + each.quantity * each.unitPrice);
  let shippingLeft = cart.shipping ?? 0;
  const steps: Step[] = [];
  const inOrder = campaigns.toSorted(
    ({ campaign: { rules: a } }, { campaign: { rules: b } }) => phaseOf(a) - phaseOf(b) || byPriority(a, b),
  );
  for (const use of inOrder) {
    const { id, discount } = use.campaign.rules;
    const outcome = outcomes.find(({ campaignId }) => campaignId === id);
    if (outcome === undefined) throw new Error(`${id} is missing`);
    const matching = new Set(
      cart.lines.filter((each) => 'items' in discount && isAbout(discount.items, each)).map(keyOf),
    );
    const parts = new Map<string, number>();
    for (const evaluatedLine of lines)
      for (const { campaignId, amount } of evaluatedLine.discounts)
        if (campaignId === id) parts.set(keyOf(evaluatedLine), (parts.get(keyOf(evaluatedLine)) ?? 0) + amount);
    const found = new Map([...left].filter(([key]) => matching.has(key)));
    steps.push({ use, outcome, left: found, shippingLeft, parts });
    for (const [key, amount] of parts) left.set(key, (left.get(key) ?? 0) - amount);
    if (discount.type === 'free-shipping') shippingLeft -= outcome.amount;
  }
  return steps;
}

describe('what is taken off', () => {
  it('adds up: over the lines of each campaign, over the campaigns of each line, and to the totals', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const result = evaluated({ cart, campaigns });
        const { lines, subtotal, discount, shippingDiscount } = result;
        expect(subtotal).toBe(sumOf(cart.lines.map(({ quantity, unitPrice }) => quantity * unitPrice)));
        expect(result.total).toBe(subtotal - discount + (cart.shipping ?? 0) - shippingDiscount);
        expect(discount).toBe(sumOf(lines.map((each) => each.discount)));
        for (const each of lines) {
          expect(each.discount).toBe(sumOf(each.discounts.map(({ amount }) => amount)));
          expect(each.total).toBe(each.subtotal - each.discount);
        }
        const offLines = lines.flatMap(({ discounts }) => discounts);
        const offShipping = campaigns.filter(({ campaign }) => phaseOf(campaign.rules) === 2);
        for (const { campaignId, amount } of result.campaigns) {
          const parts = offLines.filter((part) => part.campaignId === campaignId).map((part) => part.amount);
          const isOffShipping = offShipping.some(({ campaign }) => campaign.rules.id === campaignId);
          expect(sumOf(parts)).toBe(isOffShipping ? 0 : amount);
        }
        expect(savedBy(result)).toBe(sumOf(result.campaigns.map(({ amount }) => amount)));
      }),
      runs,
    );
  });

  it('leaves no line, no total and no shipping below zero, and no line above its price', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const result = evaluated({ cart, campaigns });
        expect(result.total).toBeGreaterThanOrEqual(0);
        expect(result.shippingDiscount).toBeGreaterThanOrEqual(0);
        expect(result.shippingDiscount).toBeLessThanOrEqual(cart.shipping ?? 0);
        for (const { total, discount, discounts } of result.lines) {
          expect(total).toBeGreaterThanOrEqual(0);
          expect(discount).toBeGreaterThanOrEqual(0);
          for (const { amount } of discounts) expect(amount).toBeGreaterThan(0);
        }
      }),
      runs,
    );
  });

  it('is spread over variants by largest remainder, of equal ones in the order of product, variant and price', () => {
    fc.assert(
      fc.property(carts, stackables, (cart, campaigns) => {
        for (const { outcome, left, parts } of replayed(cart, campaigns, evaluated({ cart, campaigns }))) {
          const weights = BigInt(sumOf([...left.values()]));
          const shares = [...left].map(([key, amount]) => {
            const exact = BigInt(outcome.amount) * BigInt(amount);
            const off = BigInt(parts.get(key) ?? 0) * weights - exact;
            return { off, isUp: off > 0n, remainder: weights === 0n ? 0n : exact % weights };
          });
          for (const { off } of shares) expect(weights === 0n || (off > -weights && off < weights)).toBe(true);
          const largestFirst = shares.toSorted(
            (a, b) => Number(a.remainder < b.remainder) - Number(a.remainder > b.remainder),
          );
          const ups = shares.filter(({ isUp }) => isUp).length;
          expect(largestFirst.map(({ isUp }) => isUp)).toEqual(shares.map((_, index) => index < ups));
        }
      }),
      runs,
    );
  });

  it('is worked out from what earlier campaigns left: items, order, shipping, by priority, then id', () => {
    fc.assert(
      fc.property(carts, stackables, (cart, campaigns) => {
        for (const step of replayed(cart, campaigns, evaluated({ cart, campaigns }))) {
          const { discount, limits } = step.use.campaign.rules;
          if (step.outcome.reason?.startsWith('minimum')) continue;
          const base = sumOf([...step.left.values()]);
          let amount = 0;
          if (discount.type === 'percentage')
            amount = Math.min(
              halfUp(BigInt(base) * BigInt(discount.basisPoints), 10_000n),
              discount.maximumAmount ?? Infinity,
            );
          else if (discount.type === 'fixed-amount') amount = Math.min(base, discount.amount);
          else if (discount.type === 'free-shipping')
            amount = Math.min(step.shippingLeft, discount.maximumAmount ?? Infinity);
          const remaining = (limits.budget ?? Infinity) - step.use.usage.amount;
          expect(step.outcome.amount).toBe(amount > remaining ? 0 : amount);
          expect(step.outcome.applied).toBe(step.outcome.amount > 0);
        }
      }),
      runs,
    );
  });

  it('stays exact where an amount times its percentage has more digits than a double', () => {
    const large = fc.integer({ min: 1_000_000_000, max: 1_000_000_000_000 });
    const basisPoints = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(large, fc.integer({ min: 1, max: 9000 }), basisPoints, (unitPrice, quantity, points) => {
        const half = { type: 'percentage', target: 'order', items: everything, maximumAmount: null } as const;
        const { discount } = evaluated({
          cart: cartOf([line('prod_a', quantity, unitPrice)]),
          campaigns: [useOf(campaignOf({ ...half, basisPoints: points }))],
        });
        expect(discount).toBe(halfUp(BigInt(unitPrice) * BigInt(quantity) * BigInt(points), 10_000n));
      }),
      runs,
    );
  });
});

describe('the same cart', () => {
  it('costs the same in whatever order its lines and campaigns are given', () => {
    const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });
    const both = fc
      .record({ cart: carts, campaigns: uses })
      .chain(({ cart, campaigns }) =>
        fc.tuple(fc.constant({ cart, campaigns }), shuffled(cart.lines), shuffled(campaigns)),
      );
    fc.assert(
      fc.property(both, ([question, lines, campaigns]) => {
        const again = evaluated({ cart: { ...question.cart, lines }, campaigns });
        expect(totalsOf(again)).toEqual(totalsOf(evaluated(question)));
      }),
      runs,
    );
  });

  it('costs the same where lines are split, and where a part names the only variant of its product', () => {
    const quantityPrices = [{ from: 4, price: { amount: 70, currency: 'EUR' } }];
    const products = new Map(
      Object.entries(categories).map(([productId, categoryIds]) => {
        const price = { amount: 100, currency: 'EUR' };
        const stock = { sku: productId, stock: 99 };
        const variant = {
          id: `${productId.replace('prod', 'var')}_s`,
          values: [],
          price,
          tradePrice: null,
          quantityPrices,
          ...stock,
        };
        return [productId, { categoryIds, isListed: true, variants: [variant] }];
      }),
    );
    const part = fc.record({ isNamed: fc.boolean(), quantity: fc.integer({ min: 1, max: 3 }) });
    const bought = fc.record({
      productId: fc.constantFrom(...products.keys()),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    });
    const priced = (lines: RequestedLine[]) => pricedCart({ lines }, 'EUR', 'trade', products);
    fc.assert(
      fc.property(fc.array(bought, { maxLength: 4 }), uses, (lines, campaigns) => {
        const whole = lines.map(({ productId, parts }) => ({
          productId,
          quantity: sumOf(parts.map(({ quantity }) => quantity)),
        }));
        const split = lines.flatMap(({ productId, parts }) =>
          parts.map(({ isNamed, quantity }) => {
            const variantId = isNamed ? products.get(productId)?.variants[0]?.id : undefined;
            return { productId, variantId, quantity };
          }),
        );
        const totals = totalsOf(evaluated({ cart: priced(split), campaigns }));
        expect(totals).toEqual(totalsOf(evaluated({ cart: priced(whole), campaigns })));
      }),
      runs,
    );
  });

  it('costs the same where lines are split', () => {
    fc.assert(
      fc.property(carts, uses, fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }), (cart, campaigns, cuts) => {
        const lines = cart.lines.flatMap((each, index) => {
          const cut = Math.min(cuts[index] ?? 0, each.quantity - 1);
          const rest = { ...each, lineId: `${each.lineId}_split`, quantity: cut };
          return [{ ...each, quantity: each.quantity - cut }, ...(cut > 0 ? [rest] : [])];
        });
        const split = evaluated({ cart: { ...cart, lines: lines.toReversed() }, campaigns });
        expect(totalsOf(split)).toEqual(totalsOf(evaluated({ cart, campaigns })));
      }),
      runs,
    );
  });

  it('is not changed, and gets the same answer again', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const before = structuredClone(cart);
        const first = evaluated({ cart, campaigns });
        expect(cart).toEqual(before);
        expect(evaluated({ cart, campaigns })).toEqual(first);
      }),
      runs,
    );
  });

  it('has its lines in the order given, each with its id', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const given = cart.lines.map(({ lineId, productId, quantity, unitPrice }) => ({
          lineId,
          productId,
          quantity,
          unitPrice,
          subtotal: quantity * unitPrice,
        }));
        expect(evaluated({ cart, campaigns }).lines).toMatchObject(given);
      }),
      runs,
    );
  });
});

it('adding a line never makes the others cost more than without campaigns', () => {
  fc.assert(
    fc.property(linesOf(fc.nat(3000), 1), carts, uses, (added, cart, campaigns) => {
      const without = sumOf(cart.lines.map(({ quantity, unitPrice }) => quantity * unitPrice));
      const { lines } = evaluated({ cart: { ...cart, lines: [...cart.lines, ...added] }, campaigns });
      expect(sumOf(lines.slice(0, cart.lines.length).map(({ total }) => total))).toBeLessThanOrEqual(without);
    }),
    runs,
  );
});

describe('exclusive campaigns and the stack of the stackable ones', () => {
  it('compete: the greatest amount wins, and of equal ones the lower priority, then the lower id', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const together = [
          campaigns.filter((use) => !isExclusive(use)),
          ...campaigns.filter(isExclusive).map((use) => [use]),
        ];
        const offers = together
          .map((offered) => evaluated({ cart, campaigns: offered }))
          .filter((offer) => appliedIn(offer).length > 0);
        const rulesOf = (offer: CartEvaluation) => {
          const first = appliedIn(offer)[0]?.campaignId;
          const use = campaigns.find(({ campaign }) => campaign.rules.id === first);
          if (use === undefined) throw new Error('nothing applies');
          return use.campaign.rules;
        };
        const [best] = offers.toSorted((a, b) => savedBy(b) - savedBy(a) || byPriority(rulesOf(a), rulesOf(b)));
        const result = evaluated({ cart, campaigns });
        expect(appliedIn(result)).toEqual(best === undefined ? [] : appliedIn(best));
        expect(result.lines).toEqual(best?.lines ?? evaluated({ cart, campaigns: [] }).lines);
      }),
      runs,
    );
  });

  it('say why they lost: better_offer_applied an exclusive one, excluded_by_other a stackable one', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const stack = evaluated({ cart, campaigns: campaigns.filter((use) => !isExclusive(use)) });
        for (const { campaignId, applied, reason } of evaluated({ cart, campaigns }).campaigns) {
          const use = campaigns.find(({ campaign }) => campaign.rules.id === campaignId);
          if (applied || use === undefined) continue;
          const alone = isExclusive(use)
            ? evaluated({ cart, campaigns: [use] }).campaigns[0]
            : stack.campaigns.find((other) => other.campaignId === campaignId);
          const lost = isExclusive(use) ? 'better_offer_applied' : 'excluded_by_other';
          expect(reason).toBe(alone?.reason ?? lost);
        }
      }),
      runs,
    );
  });
});

describe('a campaign', () => {
  it('either applies, with an amount and without a reason, or says why not', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const result = evaluated({ cart, campaigns });
        for (const { applied, amount, reason, missing } of result.campaigns) {
          expect(amount > 0).toBe(applied);
          expect(reason === null).toBe(applied);
          expect(missing !== null && missing > 0).toBe(reason?.startsWith('minimum') ?? false);
        }
        const rules = campaigns.map(({ campaign }) => campaign.rules).toSorted(byPriority);
        expect(result.campaigns.map(({ campaignId }) => campaignId)).toEqual(rules.map(({ id }) => id));
      }),
      runs,
    );
  });

  it('never takes more than what is left of its budget; one that would is left out, and the others do not notice', () => {
    fc.assert(
      fc.property(carts, stackables, (cart, campaigns) => {
        const result = evaluated({ cart, campaigns });
        const isOut = ({ campaign: { rules } }: CampaignUse) =>
          result.campaigns.some(({ campaignId, reason }) => campaignId === rules.id && reason === 'budget_exhausted');
        for (const { campaign, usage } of campaigns) {
          const { amount } = result.campaigns.find(({ campaignId }) => campaignId === campaign.rules.id) ?? {};
          const left = (campaign.rules.limits.budget ?? Infinity) - usage.amount;
          expect(amount).toBeLessThanOrEqual(Math.max(left, 0));
        }
        const without = evaluated({ cart, campaigns: campaigns.filter((use) => !isOut(use)) });
        expect(result.lines).toEqual(without.lines);
        expect(appliedIn(result)).toEqual(appliedIn(without));
      }),
      runs,
    );
  });

  it('says no_matching_items exactly where it would take nothing alone, without a budget', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const { campaigns: outcomes } = evaluated({ cart, campaigns });
        for (const { campaign } of campaigns) {
          const { reason } = outcomes.find(({ campaignId }) => campaignId === campaign.rules.id) ?? { reason: null };
          if (reason?.startsWith('minimum')) continue;
          const unlimited = useOf(campaignOf(campaign.rules.discount));
          expect(reason === 'no_matching_items').toBe(savedBy(evaluated({ cart, campaigns: [unlimited] })) === 0);
        }
      }),
      runs,
    );
  });

  it('looks at the whole cart before any discount for its minima, and says what is still needed', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const subtotal = sumOf(cart.lines.map(({ quantity, unitPrice }) => quantity * unitPrice));
        const quantity = sumOf(cart.lines.map((each) => each.quantity));
        const result = evaluated({ cart, campaigns });
        for (const { campaign } of campaigns) {
          const { minimumSubtotal, minimumQuantity } = campaign.rules.conditions;
          const { reason, missing } = result.campaigns.find(({ campaignId }) => campaignId === campaign.rules.id) ?? {};
          const missingMoney = Math.max((minimumSubtotal ?? 0) - subtotal, 0);
          const missingUnits = Math.max((minimumQuantity ?? 0) - quantity, 0);
          expect(reason === 'minimum_subtotal').toBe(missingMoney > 0);
          expect(reason === 'minimum_quantity').toBe(missingMoney === 0 && missingUnits > 0);
          expect(missing).toBe(missingMoney || missingUnits || null);
        }
      }),
      runs,
    );
  });

  it('counts once where it is given twice, by the first of its codes', () => {
    fc.assert(
      fc.property(carts, uses, (cart, campaigns) => {
        const twice = [...campaigns, ...campaigns.map((use) => ({ ...use, code: 'AGAIN' }))];
        expect(evaluated({ cart, campaigns: twice })).toEqual(evaluated({ cart, campaigns }));
      }),
      runs,
    );
  });

  it('does not come in while it is a draft', () => {
    const draft = campaignOf(
      { type: 'fixed-amount', amount: 1, target: 'order', items: everything },
      { stage: 'draft' },
    );
    expect(evaluated({ cart: cartOf([line('prod_a', 1, 100)]), campaigns: [useOf(draft)] })).toMatchObject({
      discount: 0,
      campaigns: [],
    });
  });
});

describe('a cart that is too much for exact totals', () => {
  // 2^53 - 1 is 9,007,199,254,740,991.
  const lines = [line('prod_a', 9007, 1_000_000_000_000)];

  it.each([
    ['by its lines', cartOf([...lines, line('prod_b', 1, 199_254_740_992)])],
    ['by its lines and its shipping', cartOf(lines, { shipping: 199_254_740_992 })],
  ])('%s is refused, and its price is no number', (_what, cart) => {
    expect(() => evaluated({ cart, campaigns: [] })).toThrow(RangeError);
    expect(priceOf(cart)).toBe(9_007_199_254_740_992n);
  });

  it('begins above the greatest exact number', () => {
    const cart = cartOf(lines, { shipping: 199_254_740_991 });
    expect(evaluated({ cart, campaigns: [] }).total).toBe(Number.MAX_SAFE_INTEGER);
    expect(priceOf(cart)).toBe(Number.MAX_SAFE_INTEGER);
  });
});
