import { spread } from '@storefront/money';
import { phases, type CompiledCampaign } from './compile.ts';
import type { Obstacle, Reason, Usage } from './eligibility.ts';
import { copyOf, type Rest } from './rest.ts';
import { takingOf, type Taking } from './taking.ts';

/** A campaign that a cart may get: an automatic one, or one that was asked for by a code. */
export interface CampaignUse {
  readonly campaign: CompiledCampaign;
  readonly usage: Usage;
  /** The code by which it was asked for. */
  readonly code: string | null;
  /** Why it takes nothing off whatever the cart is; null where that is to be worked out. */
  readonly reason: Reason | null;
}

/** What a campaign takes off a cart. */
export interface Taken {
  readonly amount: number;
  /** The groups that it comes off; empty where it comes off the shipping. */
  readonly from: Taking['from'];
  /** How much comes off each of them. */
  readonly amounts: readonly number[];
}

/** Campaigns that apply together, and what they take off. */
export interface Offer {
  readonly amount: number;
  /** What each takes off, or why it takes nothing. In the order of work. */
  readonly outcomes: ReadonlyMap<CampaignUse, Taken | Obstacle>;
}

/**
 * What campaigns take together off an untouched cart: in each phase one after the other, in the order given. One whose amount does not fit into
 * what is left of its budget is left out, and the others are worked out without it.
 */
export function offerOf(uses: readonly CampaignUse[], untouched: Rest): Offer {
  const rest = copyOf(untouched);
  const outcomes = new Map<CampaignUse, Taken | Obstacle>();
  let total = 0;
  for (const phase of phases)
    for (const use of uses) {
      if (use.campaign.phase !== phase) continue;
      const taking = takingOf(use.campaign, rest);
      const { budget } = use.campaign.rules.limits;
      if (taking.amount === 0) {
        outcomes.set(use, { reason: reasonForNothing(use, taking, untouched), missing: null });
      } else if (budget !== null && taking.amount > budget - use.usage.amount) {
        outcomes.set(use, { reason: 'budget_exhausted', missing: null });
      } else {
        outcomes.set(use, take(taking, rest));
        total += taking.amount;
      }
    }
  return { amount: total, outcomes };
}

/** A campaign that takes nothing of the untouched cart either matches nothing in it. */
function reasonForNothing({ campaign }: CampaignUse, { from }: Taking, untouched: Rest): Reason {
  const isMatch = from.length > 0 || campaign.phase === 'shipping';
  return isMatch && takingOf(campaign, untouched).amount > 0 ? 'excluded_by_other' : 'no_matching_items';
}

/** The greatest amount wins; of equal ones the one whose first campaign that applies comes first in `uses`. */
export function bestOf(offers: readonly Offer[], uses: readonly CampaignUse[]): Offer {
  const place = ({ outcomes }: Offer) =>
    uses.findIndex((use) => {
      const outcome = outcomes.get(use);
      return outcome !== undefined && !('reason' in outcome);
    });
  return offers.reduce((best, offer) => {
    if (offer.amount !== best.amount) return offer.amount > best.amount ? offer : best;
    return offer.amount > 0 && place(offer) < place(best) ? offer : best;
  });
}

/** Takes it off the rest. */
function take({ amount, from }: Taking, rest: Rest): Taken {
  if (from.length === 0) {
    rest.shipping -= amount;
    return { amount, from, amounts: [] };
  }
  const amounts = spread(amount, from);
  let at = 0;
  for (const { rest: group } of from) group.amount -= amounts[at++] ?? 0;
  return { amount, from, amounts };
}
