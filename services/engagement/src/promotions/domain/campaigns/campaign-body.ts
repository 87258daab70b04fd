import type { engagementHttp } from '@storefront/contracts';
import {
  statusOf,
  type Campaign,
  type CampaignRules,
  type CampaignUsage,
  type Discount,
  type Selector,
} from './rules.ts';

/** Shows a campaign to administrators. */
export function showCampaign(campaign: Campaign, usage: CampaignUsage, now: Date): engagementHttp.CampaignBody {
  const { id, name, description, trigger, currency, discount, limits, priority, combination } = campaign;
  return {
    id,
    name,
    description,
    status: statusOf(campaign, now),
    trigger,
    currency,
    discount: discountBody(discount, currency),
    conditions: showConditions(campaign),
    limits: limitsBody(campaign),
    priority,
    combination,
    usage: showUsage(usage, limits, currency),
    activatedAt: campaign.activatedAt?.toISOString() ?? null,
    endedAt: campaign.endedAt?.toISOString() ?? null,
    createdAt: campaign.createdAt.toISOString(),
    updatedAt: campaign.updatedAt.toISOString(),
  };
}

/** Shows a campaign to shoppers. */
export function showActiveCampaign(rules: CampaignRules): engagementHttp.ActiveCampaignBody {
  const { id, name, description, discount, currency, combination } = rules;
  return {
    id,
    name,
    description,
    discount: discountBody(discount, currency),
    conditions: showConditions(rules),
    combination,
  };
}

function showConditions(
  campaign: Pick<Campaign, 'conditions' | 'currency'>,
): engagementHttp.CampaignBody['conditions'] {
  const { startsAt, endsAt, ...conditions } = conditionsBody(campaign);
  return { ...conditions, startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null };
}

// Campaign and usage are read separately, and a limit may be lowered in between. So the difference could be negative.
function showUsage(
  { redemptions, amount }: CampaignUsage,
  { total, budget }: Campaign['limits'],
  currency: string,
): engagementHttp.CampaignBody['usage'] {
  return {
    redemptions,
    amount: { amount, currency },
    remaining: {
      redemptions: total === null ? null : Math.max(0, total - redemptions),
      budget: budget === null ? null : { amount: Math.max(0, budget - amount), currency },
    },
  };
}

const moneyIn = (currency: string) => (amount: number | null) => (amount === null ? null : { amount, currency });

/** Returns the discount in the form of a request. */
export function discountBody(discount: Discount, currency: string): engagementHttp.DiscountBody {
  const maximum = (amount: number | null) => (amount === null ? {} : { maximumAmount: { amount, currency } });
  switch (discount.type) {
    case 'percentage': {
      const { type, basisPoints, target, items, maximumAmount } = discount;
      return { type, percent: basisPoints / 100, target, ...itemsBody(items), ...maximum(maximumAmount) };
    }
    case 'fixed-amount': {
      const { type, amount, target, items } = discount;
      return { type, amount: { amount, currency }, target, ...itemsBody(items) };
    }
    case 'buy-x-get-y': {
      const { type, buy, get, maximumApplications } = discount;
      return {
        type,
        buy: { quantity: buy.quantity, items: selectorBody(buy.items) },
        get: { quantity: get.quantity, items: selectorBody(get.items), percent: get.basisPoints / 100 },
        ...(maximumApplications === null ? {} : { maximumApplications }),
      };
    }
    case 'free-shipping':
      return { type: discount.type, ...maximum(discount.maximumAmount) };
  }
}

/**
 * Converts the rules of a request into their stored form: amounts without a currency, percentages in basis points.
 */
export function storedRules({
  discount,
  conditions,
  limits,
}: {
  readonly discount: engagementHttp.DiscountBody;
  readonly conditions: RequiredConditions;
  readonly limits: engagementHttp.CampaignCreation['limits'];
}): Pick<Campaign, 'discount' | 'conditions' | 'limits'> {
  return {
    discount: discountOf(discount),
    conditions: { ...conditions, minimumSubtotal: conditions.minimumSubtotal?.amount ?? null },
    limits: { ...limits, budget: limits.budget?.amount ?? null },
  };
}

export function discountOf(body: engagementHttp.DiscountBody): Discount {
  switch (body.type) {
    case 'percentage': {
      const { type, percent, target, items, maximumAmount } = body;
      return {
        type,
        basisPoints: basisPointsOf(percent),
        target,
        items: selectorOf(items),
        maximumAmount: maximumAmount?.amount ?? null,
      };
    }
    case 'fixed-amount': {
      const { type, amount, target, items } = body;
      return { type, amount: amount.amount, target, items: selectorOf(items) };
    }
    case 'buy-x-get-y': {
      const { type, buy, get, maximumApplications = null } = body;
      return {
        type,
        buy: { quantity: buy.quantity, items: selectorOf(buy.items) },
        get: { quantity: get.quantity, items: selectorOf(get.items), basisPoints: basisPointsOf(get.percent) },
        maximumApplications,
      };
    }
    case 'free-shipping':
      return { type: body.type, maximumAmount: body.maximumAmount?.amount ?? null };
  }
}

// The contract allows two decimals. In floating point, for example 12.35 × 100 is not a whole number, so this rounds.
function basisPointsOf(percent: number): number {
  return Math.round(percent * 100);
}

type RequiredConditions = Required<engagementHttp.CampaignCreation['conditions']>;

/** The conditions of a campaign for which none are given. */
export const noConditions: RequiredConditions = {
  segment: 'all',
  startsAt: null,
  endsAt: null,
  minimumSubtotal: null,
  minimumQuantity: null,
  firstOrderOnly: false,
};

/** Returns all conditions in the form of a request. */
export function conditionsBody({ conditions, currency }: Pick<Campaign, 'conditions' | 'currency'>) {
  const minimumSubtotal = moneyIn(currency)(conditions.minimumSubtotal);
  return { ...conditions, minimumSubtotal } satisfies RequiredConditions;
}

/** Returns the limits in the form of a request. */
export function limitsBody({
  limits,
  currency,
}: Pick<Campaign, 'limits' | 'currency'>): engagementHttp.CampaignCreation['limits'] {
  return { ...limits, budget: moneyIn(currency)(limits.budget) };
}

function itemsBody(items: Selector): { items?: engagementHttp.ItemSelectorBody } {
  const body = selectorBody(items);
  return Object.keys(body).length > 0 ? { items: body } : {};
}

function selectorBody(items: Selector): engagementHttp.ItemSelectorBody {
  const { products, variants, categories, excludedProducts, excludedVariants } = items;
  return {
    ...(products === null ? {} : { products: [...products] }),
    ...(variants === null ? {} : { variants: [...variants] }),
    ...(categories === null ? {} : { categories: [...categories] }),
    ...(excludedProducts.length === 0 ? {} : { excludedProducts: [...excludedProducts] }),
    ...(excludedVariants.length === 0 ? {} : { excludedVariants: [...excludedVariants] }),
  };
}

function selectorOf(body: engagementHttp.ItemSelectorBody | undefined): Selector {
  const {
    products = null,
    variants = null,
    categories = null,
    excludedProducts = [],
    excludedVariants = [],
  } = body ?? {};
  return { products, variants, categories, excludedProducts, excludedVariants };
}
