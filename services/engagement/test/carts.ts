import type { CampaignRules, Discount, Selector } from '../src/promotions/domain/campaigns/rules.ts';
import type { Cart, CartLine, Shopper } from '../src/promotions/domain/evaluation/cart.ts';
import { compile } from '../src/promotions/domain/evaluation/compiled-campaigns.ts';
import type { CampaignUse } from '../src/promotions/domain/evaluation/deductions.ts';
import { evaluate, type EvaluationInput } from '../src/promotions/domain/evaluation/evaluate.ts';
import type { CartEvaluation } from '../src/promotions/domain/evaluation/evaluation.ts';

/** All campaigns of these tests have started, and the one of `campaignOf` has no end. */
export const now = new Date('2026-11-22T12:00:00.000Z');

export const everything: Selector = {
  products: null,
  variants: null,
  categories: null,
  excludedProducts: [],
  excludedVariants: [],
};

export function only(selector: Partial<Selector>): Selector {
  return { ...everything, ...selector };
}

export const visitor: Shopper = { segment: 'retail', userId: null, hasOrdered: false, uses: new Map() };

type Partly<T> = { readonly [K in keyof T]?: T[K] };

export interface CampaignOptions extends Omit<Partly<CampaignRules>, 'conditions' | 'limits' | 'discount'> {
  readonly conditions?: Partly<CampaignRules['conditions']>;
  readonly limits?: Partly<CampaignRules['limits']>;
}

/** An active, automatic and stackable campaign in EUR, without conditions and limits. */
export function campaignOf(discount: Discount, { conditions, limits, ...rest }: CampaignOptions = {}): CampaignRules {
  return {
    id: 'camp_a',
    name: 'Campaign',
    description: null,
    trigger: 'automatic',
    currency: 'EUR',
    stage: 'activated',
    discount,
    priority: 0,
    combination: 'stackable',
    activatedAt: null,
    endedAt: null,
    createdAt: now,
    updatedAt: now,
    ...rest,
    conditions: {
      segment: 'all',
      startsAt: new Date('2026-01-01T00:00:00.000Z'),
      endsAt: null,
      minimumSubtotal: null,
      minimumQuantity: null,
      firstOrderOnly: false,
      ...conditions,
    },
    limits: { total: null, perUser: null, budget: null, ...limits },
  };
}

export function useOf(rules: CampaignRules, used: Partly<Omit<CampaignUse, 'campaign'>> = {}): CampaignUse {
  return { campaign: compile(rules), usage: { redemptions: 0, amount: 0 }, code: null, reason: null, ...used };
}

/** A line of product and price that says nothing about a variant; its id is the product's. */
export function line(productId: string, quantity: number, unitPrice: number, more: Partly<CartLine> = {}): CartLine {
  return { lineId: productId, productId, variantId: null, sku: null, quantity, unitPrice, categoryIds: [], ...more };
}

/** A cart in EUR without shipping. */
export function cartOf(lines: readonly CartLine[], more: Partly<Cart> = {}): Cart {
  return { currency: 'EUR', lines, shipping: null, ...more };
}

/** For a visitor, now. */
export function evaluated(
  input: Pick<EvaluationInput, 'cart' | 'campaigns'> & Partly<EvaluationInput>,
): CartEvaluation {
  return evaluate({ shopper: visitor, now, ...input });
}
