import type { engagementHttp } from '@storefront/contracts';
import type { Discount, Selector } from './rules.ts';

/** The discount as it is stored: amounts without their currency, percentages in basis points. */
export function discountOf(given: engagementHttp.DiscountBody): Discount {
  switch (given.type) {
    case 'percentage': {
      const { type, percent, target, items, maximumAmount } = given;
      return {
        type,
        basisPoints: basisPointsOf(percent),
        target,
        items: selectorOf(items),
        maximumAmount: maximumAmount?.amount ?? null,
      };
    }
    case 'fixed-amount': {
      const { type, amount, target, items } = given;
      return { type, amount: amount.amount, target, items: selectorOf(items) };
    }
    case 'buy-x-get-y': {
      const { type, buy, get, maximumApplications = null } = given;
      return {
        type,
        buy: { quantity: buy.quantity, items: selectorOf(buy.items) },
        get: { quantity: get.quantity, items: selectorOf(get.items), basisPoints: basisPointsOf(get.percent) },
        maximumApplications,
      };
    }
    case 'free-shipping':
      return { type: given.type, maximumAmount: given.maximumAmount?.amount ?? null };
  }
}

function selectorOf(given: engagementHttp.ItemSelectorBody | undefined): Selector {
  const { products = null, categories = null, excludedProducts = [] } = given ?? {};
  return { products, categories, excludedProducts };
}

// The contract allows two decimals; 12.35 × 100 is not a whole number in floating point.
function basisPointsOf(percent: number): number {
  return Math.round(percent * 100);
}
