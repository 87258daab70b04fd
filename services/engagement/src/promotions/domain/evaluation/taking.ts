import { divideHalfUp, product, share, sum, type Part } from '@storefront/money';
import { givenUnits, valueOf } from './buy-x-get-y.ts';
import type { CompiledCampaign } from './compile.ts';
import type { GroupRest, Rest } from './rest.ts';

/** What a campaign takes off: the amount is spread over the groups of `from`, or comes off the shipping where there is none. */
export interface Taking {
  readonly amount: number;
  readonly from: readonly (Part & { readonly rest: GroupRest })[];
}

/**
 * What a campaign takes of the rest of a cart, never more than is there. A percentage is rounded once, half up; a fixed amount is
 * taken once, of all matching products together.
 */
export function takingOf(campaign: CompiledCampaign, rest: Rest): Taking {
  const { discount } = campaign.rules;
  switch (discount.type) {
    case 'percentage': {
      const from = matching(campaign, rest);
      return { amount: atMost(discount.maximumAmount, share(amountOf(from), discount.basisPoints)), from };
    }
    case 'fixed-amount': {
      const from = matching(campaign, rest);
      return { amount: Math.min(discount.amount, amountOf(from)), from };
    }
    case 'buy-x-get-y': {
      const given = givenUnits(discount, campaign, rest.groups);
      const { weights, scale } = valueOf(given);
      return {
        amount: divideHalfUp(product(sum(weights), discount.get.basisPoints), product(scale, 10_000)),
        from: given.map(({ rest: group }, index) => ({
          rest: group,
          weight: weights[index] ?? 0,
          atMost: group.amount,
        })),
      };
    }
    case 'free-shipping':
      return { amount: atMost(discount.maximumAmount, rest.shipping), from: [] };
  }
}

function matching({ takesFrom }: CompiledCampaign, { groups }: Rest): Taking['from'] {
  const from: (Part & { readonly rest: GroupRest })[] = [];
  for (const rest of groups) if (takesFrom(rest.group)) from.push({ rest, weight: rest.amount, atMost: rest.amount });
  return from;
}

function amountOf(from: Taking['from']): number {
  let total = 0;
  for (const { atMost: amount } of from) total += amount;
  return total;
}

function atMost(maximum: number | null, amount: number): number {
  return maximum === null ? amount : Math.min(maximum, amount);
}
