import type { engagementHttp, http } from '@storefront/contracts';
import type { CampaignRules, Discount, Selector } from './rules.ts';

const moneyIn = (currency: string) => (amount: number | null) => (amount === null ? null : { amount, currency });

/** A discount as it was given. */
export function shownDiscount(discount: Discount, currency: string): engagementHttp.DiscountBody {
  const maximum = (amount: number | null) => (amount === null ? {} : { maximumAmount: { amount, currency } });
  switch (discount.type) {
    case 'percentage': {
      const { type, basisPoints, target, items, maximumAmount } = discount;
      return { type, percent: basisPoints / 100, target, ...shownItems(items), ...maximum(maximumAmount) };
    }
    case 'fixed-amount': {
      const { type, amount, target, items } = discount;
      return { type, amount: { amount, currency }, target, ...shownItems(items) };
    }
    case 'buy-x-get-y': {
      const { type, buy, get, maximumApplications } = discount;
      return {
        type,
        buy: { quantity: buy.quantity, items: shownSelector(buy.items) },
        get: { quantity: get.quantity, items: shownSelector(get.items), percent: get.basisPoints / 100 },
        ...(maximumApplications === null ? {} : { maximumApplications }),
      };
    }
    case 'free-shipping':
      return { type: discount.type, ...maximum(discount.maximumAmount) };
  }
}

type GivenConditions = Required<engagementHttp.CampaignCreation['conditions']>;

/** Conditions as they were given, those that were left out too. */
export function shownConditions({
  conditions,
  currency,
}: {
  readonly conditions: Omit<CampaignRules['conditions'], 'startsAt'> & { readonly startsAt: Date | null };
  readonly currency: string;
}) {
  return { ...conditions, minimumSubtotal: moneyIn(currency)(conditions.minimumSubtotal) } satisfies GivenConditions;
}

export function shownLimits({ limits, currency }: Pick<CampaignRules, 'limits' | 'currency'>): {
  total: number | null;
  perUser: number | null;
  budget: http.Money | null;
} {
  return { ...limits, budget: moneyIn(currency)(limits.budget) };
}

function shownItems(items: Selector): { items?: engagementHttp.ItemSelectorBody } {
  const shown = shownSelector(items);
  return Object.keys(shown).length > 0 ? { items: shown } : {};
}

function shownSelector({ products, categories, excludedProducts }: Selector): engagementHttp.ItemSelectorBody {
  return {
    ...(products === null ? {} : { products: [...products] }),
    ...(categories === null ? {} : { categories: [...categories] }),
    ...(excludedProducts.length === 0 ? {} : { excludedProducts: [...excludedProducts] }),
  };
}
