import { spread } from '@storefront/money';
import { byPriority } from '../../campaigns/domain/rules.ts';
import type { Cart, Shopper } from './cart.ts';
import { phases } from './compile.ts';
import type { CompiledCampaign } from './compile.ts';
import { obstacleOf } from './eligibility.ts';
import type { Obstacle, Reason, Usage } from './eligibility.ts';
import { groupsOf, takeOff, withoutDiscount } from './groups.ts';
import type { DiscountedLine, Group } from './groups.ts';
import { wholeOf } from './rest.ts';
import type { Rest } from './rest.ts';
import { takingOf } from './taking.ts';
import type { Taking } from './taking.ts';

/** A campaign that a cart may get: an automatic one, or one that was asked for by a code. */
export interface CampaignUse {
  readonly campaign: CompiledCampaign;
  readonly usage: Usage;
  /** The code by which it was asked for. */
  readonly code: string | null;
}

/** What a cart costs. All amounts are in minor units of its currency. */
export interface Evaluation {
  readonly currency: string;
  readonly subtotal: number;
  /** Off the lines, without the shipping. */
  readonly discount: number;
  readonly shipping: number | null;
  readonly shippingDiscount: number;
  readonly total: number;
  /** In the order of the cart. */
  readonly lines: readonly EvaluatedLine[];
  /** By priority, then by id. */
  readonly campaigns: readonly EvaluatedCampaign[];
}

export interface EvaluatedLine {
  readonly lineId: string;
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly discount: number;
  readonly total: number;
  /** In the order in which they were taken off. */
  readonly discounts: readonly { readonly campaignId: string; readonly amount: number }[];
}

export interface EvaluatedCampaign {
  readonly campaignId: string;
  readonly name: string;
  readonly code: string | null;
  readonly applied: boolean;
  /** What it takes off; 0 where it does not apply. */
  readonly amount: number;
  /** Null where it applies. */
  readonly reason: Reason | null;
  /** What a cart still needs to reach a minimum: minor units, or units. */
  readonly missing: number | null;
}

export interface Question {
  readonly cart: Cart;
  readonly shopper: Shopper;
  /** Of one that is given twice the first counts. */
  readonly campaigns: readonly CampaignUse[];
  readonly now: Date;
}

/** What a campaign takes off a cart, or why it takes nothing. */
type Outcome = Taken | Obstacle;

interface Taken {
  readonly amount: number;
  /** Empty where it comes off the shipping. */
  readonly parts: readonly { readonly group: Group; readonly amount: number }[];
}

/** Campaigns that apply together, and what they take off. */
interface Offer {
  readonly amount: number;
  /** In the order of work. */
  readonly outcomes: ReadonlyMap<CampaignUse, Outcome>;
}

/**
 * What the campaigns take off a cart. The discounts of items come first, then those of the order, then those of the shipping; in each
 * phase by priority, then by id. The stack of all stackable campaigns competes with each exclusive one alone: the greatest amount
 * wins, and of equal ones the one with the lower priority, then the lower id, for which the first campaign stands that applies.
 * Throws a RangeError where the lines are too much for an exact total: above 2^53 - 1.
 */
export function evaluate({ cart, shopper, campaigns, now }: Question): Evaluation {
  const lines = withoutDiscount(cart.lines);
  const groups = groupsOf(lines);
  const subtotal = lines.reduce((total, line) => total + line.subtotal, 0);
  const quantity = lines.reduce((total, { line }) => total + line.quantity, 0);
  const circumstances = { currency: cart.currency, subtotal, quantity, shopper, now };
  const whole = () => wholeOf(groups, cart.shipping ?? 0);

  const uses = inOrder(campaigns);
  const obstacles = new Map<CampaignUse, Obstacle>();
  const stackable: CampaignUse[] = [];
  const exclusive: CampaignUse[] = [];
  for (const use of uses) {
    const obstacle = obstacleOf(use.campaign.rules, use.usage, circumstances);
    if (obstacle !== null) obstacles.set(use, obstacle);
    else (isExclusive(use) ? exclusive : stackable).push(use);
  }
  const offers = [stackable, ...exclusive.map((use) => [use])].map((together) => offerOf(together, whole));
  const best = bestOf(offers, uses);
  for (const offer of offers) for (const [use, outcome] of offer.outcomes) if ('reason' in outcome) obstacles.set(use, outcome);

  let shippingDiscount = 0;
  for (const [{ campaign }, outcome] of best.outcomes) {
    if ('reason' in outcome) continue;
    if (campaign.phase === 'shipping') shippingDiscount += outcome.amount;
    for (const { group, amount } of outcome.parts) takeOff(group, campaign.rules.id, amount);
  }
  const discount = best.amount - shippingDiscount;
  return {
    currency: cart.currency,
    subtotal,
    discount,
    shipping: cart.shipping,
    shippingDiscount,
    total: subtotal - best.amount + (cart.shipping ?? 0),
    lines: lines.map(evaluatedLine),
    campaigns: uses.map((use) => evaluatedCampaign(use, obstacles.get(use) ?? best.outcomes.get(use) ?? beaten(use))),
  };
}

/** By priority, then by id, each once and without drafts. */
function inOrder(campaigns: readonly CampaignUse[]): CampaignUse[] {
  const seen = new Set<string>();
  return campaigns
    .filter(({ campaign: { rules } }) => rules.stage !== 'draft' && seen.size < seen.add(rules.id).size)
    .toSorted((a, b) => byPriority(a.campaign.rules, b.campaign.rules));
}

/** What campaigns take together. One whose amount does not fit into its budget is left out, and the rest is worked out without it. */
function offerOf(uses: readonly CampaignUse[], whole: () => Rest): Offer {
  const rest = whole();
  const outcomes = new Map<CampaignUse, Outcome>();
  let total = 0;
  for (const phase of phases)
    for (const use of uses) {
      if (use.campaign.phase !== phase) continue;
      const taking = takingOf(use.campaign, rest);
      const { budget } = use.campaign.rules.limits;
      if (taking.amount === 0) {
        // Others may have left nothing; one that takes nothing of the whole cart either matches nothing in it.
        const isLeftNothing = takingOf(use.campaign, whole()).amount > 0;
        outcomes.set(use, because(isLeftNothing ? 'excluded_by_other' : 'no_matching_items'));
      } else if (budget !== null && taking.amount > budget - use.usage.amount) {
        outcomes.set(use, because('budget_exhausted'));
      } else {
        outcomes.set(use, taken(taking, rest));
        total += taking.amount;
      }
    }
  return { amount: total, outcomes };
}

/** Takes it off the rest. */
function taken({ amount, from }: Taking, rest: Rest): Taken {
  if (from.length === 0) {
    rest.shipping -= amount;
    return { amount, parts: [] };
  }
  const amounts = spread(amount, from);
  const parts = from.map(({ rest: { group } }, index) => ({ group, amount: amounts[index] ?? 0 }));
  for (const [index, part] of from.entries()) part.rest.amount -= amounts[index] ?? 0;
  return { amount, parts };
}

/** The greatest amount wins; of equal ones the one whose first campaign that applies comes first in `uses`. */
function bestOf(offers: readonly Offer[], uses: readonly CampaignUse[]): Offer {
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

function isExclusive({ campaign: { rules } }: CampaignUse): boolean {
  return rules.combination === 'exclusive';
}

/** Of a campaign whose offer was not the best. */
function beaten(use: CampaignUse): Obstacle {
  return because(isExclusive(use) ? 'better_offer_applied' : 'excluded_by_other');
}

function because(reason: Reason): Obstacle {
  return { reason, missing: null };
}

function evaluatedLine({ line, subtotal, discount, discounts }: DiscountedLine): EvaluatedLine {
  const { lineId, productId, quantity, unitPrice } = line;
  return { lineId, productId, quantity, unitPrice, subtotal, discount, total: subtotal - discount, discounts };
}

function evaluatedCampaign({ campaign: { rules }, code }: CampaignUse, outcome: Outcome): EvaluatedCampaign {
  const campaign = { campaignId: rules.id, name: rules.name, code };
  return 'reason' in outcome
    ? { ...campaign, applied: false, amount: 0, reason: outcome.reason, missing: outcome.missing }
    : { ...campaign, applied: true, amount: outcome.amount, reason: null, missing: null };
}
