import { byPriority } from '../campaigns/rules.ts';
import { priceOf, type Cart, type Shopper } from './cart.ts';
import { obstacleOf, type Obstacle, type Reason } from './eligibility.ts';
import { groupsOf, takeOff, withoutDiscount, type DiscountedLine } from './groups.ts';
import { bestOf, offerOf, type CampaignUse, type Taken } from './deductions.ts';
import { wholeOf } from './rest.ts';

export type { CampaignUse } from './deductions.ts';

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
  readonly lines: EvaluatedLine[];
  /** By priority, then by id. */
  readonly campaigns: EvaluatedCampaign[];
}

interface EvaluatedLine {
  readonly lineId: string;
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly discount: number;
  readonly total: number;
  /** In the order in which they were taken off. */
  readonly discounts: { readonly campaignId: string; readonly amount: number }[];
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

/**
 * What the campaigns take off a cart. The discounts of items come first, then those of the order, then those of the shipping; in each
 * phase by priority, then by id. The stack of all stackable campaigns competes with each exclusive one alone: the greatest amount
 * wins. Of equal amounts the lower priority wins, then the lower id; those of the stack are those of its first campaign that applies.
 * Throws a RangeError where the cart costs more than an exact number can be: see `priceOf`.
 */
export function evaluate({ cart, shopper, campaigns, now }: Question): Evaluation {
  const price = priceOf(cart);
  if (typeof price === 'bigint') throw new RangeError(`${price} is too much for a cart`);
  const lines = withoutDiscount(cart.lines);
  const groups = groupsOf(lines);
  const subtotal = lines.reduce((total, line) => total + line.subtotal, 0);
  const quantity = lines.reduce((total, { line }) => total + line.quantity, 0);
  const circumstances = { currency: cart.currency, subtotal, quantity, shopper, now };
  const shipping = cart.shipping ?? 0;
  const untouched = wholeOf(groups, shipping);

  const uses = inOrder(campaigns);
  const obstacles = new Map<CampaignUse, Obstacle>();
  const stackable: CampaignUse[] = [];
  const exclusive: CampaignUse[] = [];
  for (const use of uses) {
    const { campaign, usage, reason } = use;
    const obstacle = reason === null ? obstacleOf(campaign.rules, usage, circumstances) : { reason, missing: null };
    if (obstacle !== null) obstacles.set(use, obstacle);
    else (isExclusive(use) ? exclusive : stackable).push(use);
  }
  const offers = [stackable, ...exclusive.map((use) => [use])].map((together) => offerOf(together, untouched));
  const best = bestOf(offers, uses);
  for (const offer of offers)
    for (const [use, outcome] of offer.outcomes) if ('reason' in outcome) obstacles.set(use, outcome);

  let shippingDiscount = 0;
  for (const [{ campaign }, outcome] of best.outcomes) {
    if ('reason' in outcome) continue;
    if (campaign.phase === 'shipping') shippingDiscount += outcome.amount;
    let at = 0;
    for (const { rest } of outcome.from) takeOff(rest.group, campaign.rules.id, outcome.amounts[at++] ?? 0);
  }
  const discount = best.amount - shippingDiscount;
  return {
    currency: cart.currency,
    subtotal,
    discount,
    shipping: cart.shipping,
    shippingDiscount,
    total: subtotal - best.amount + shipping,
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

function isExclusive({ campaign: { rules } }: CampaignUse): boolean {
  return rules.combination === 'exclusive';
}

/** Of a campaign whose offer was not the best. */
function beaten(use: CampaignUse): Obstacle {
  return { reason: isExclusive(use) ? 'better_offer_applied' : 'excluded_by_other', missing: null };
}

function evaluatedLine({ line, subtotal, discount, discounts }: DiscountedLine): EvaluatedLine {
  const { lineId, productId, quantity, unitPrice } = line;
  return { lineId, productId, quantity, unitPrice, subtotal, discount, total: subtotal - discount, discounts };
}

function evaluatedCampaign({ campaign: { rules }, code }: CampaignUse, outcome: Taken | Obstacle): EvaluatedCampaign {
  const { id: campaignId, name } = rules;
  return 'reason' in outcome
    ? { campaignId, name, code, applied: false, amount: 0, reason: outcome.reason, missing: outcome.missing }
    : { campaignId, name, code, applied: true, amount: outcome.amount, reason: null, missing: null };
}
