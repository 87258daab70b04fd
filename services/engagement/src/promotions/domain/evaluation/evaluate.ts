import { byPriority, statusAt, type CampaignRules } from '../campaigns/rules.ts';
import { priceOf, type Cart, type Shopper } from './cart.ts';
import type { CompiledCampaign } from './compiled-campaigns.ts';
import {
  bestOf,
  groupsOf,
  offerOf,
  takeOff,
  wholeOf,
  withoutDiscount,
  type AppliedDeduction,
  type CampaignUse,
  type DiscountedLine,
  type NotApplied,
  type Usage,
} from './deductions.ts';
import type {
  CartEvaluation,
  EvaluatedCampaign,
  EvaluatedCode,
  EvaluatedLine,
  Evaluation,
  Reason,
} from './evaluation.ts';

/** A code of a campaign, with its stored counts. */
export interface Code {
  readonly campaignId: string;
  /** How many held and confirmed redemptions used the code. */
  readonly uses: number;
  /** The most redemptions with the code; null for no limit. */
  readonly maximumUses: number | null;
  readonly hasEnded: boolean;
}

/** A cart, its buyer, and the codes that the buyer entered. */
export interface CartWithCodes {
  readonly cart: Cart;
  readonly shopper: Shopper;
  /** The entered codes, each once, in the order in which they are tried. */
  readonly codes: readonly string[];
}

/** The campaigns that may apply to a cart, with the counts for their limits. */
export interface Candidates {
  /** Automatic campaigns that could apply to the cart. Campaigns that are not active at the time are ignored. */
  readonly automatic: readonly CompiledCampaign[];
  readonly codes: ReadonlyMap<string, Code>;
  /** The campaigns of the codes, by campaign id. */
  readonly campaigns: ReadonlyMap<string, CompiledCampaign>;
  readonly usage: ReadonlyMap<string, Usage>;
  /** Automatic campaigns by priority. The running ones are added to the result until it has 50 campaigns. */
  readonly others: readonly CompiledCampaign[];
}

const namedAtMost = 50;
const neverUsed: Usage = { redemptions: 0, amount: 0 };

/**
 * Calculates what the campaigns take off the cart, and the status of each code. A campaign applies at most once, with
 * the first of its codes that can still be used. Where none of its codes can be used, the reason is that of the first
 * code. Codes of drafts count as unknown.
 */
export function evaluateWithCodes(
  { cart, shopper, codes }: CartWithCodes,
  candidates: Candidates,
  now: Date,
): Evaluation {
  const byCode = new Map<string, string>();
  const unusable = new Map<string, { readonly code: string; readonly reason: Reason }>();
  for (const code of codes) {
    const found = knownCode(code, candidates);
    if (!found || byCode.has(found.campaign.rules.id)) continue;
    const { id } = found.campaign.rules;
    const reason = unusableReason(found.code);
    if (reason === null) byCode.set(id, code);
    else if (!unusable.has(id)) unusable.set(id, { code, reason });
  }

  const uses: CampaignUse[] = candidates.automatic
    .filter(({ rules }) => statusAt(rules, now) === 'active')
    .map((campaign) => ({ campaign, usage: usageOf(campaign), code: null, reason: null }));
  for (const [id, code] of byCode) {
    const campaign = candidates.campaigns.get(id);
    if (campaign) uses.push({ campaign, usage: usageOf(campaign), code, reason: null });
  }
  for (const [id, { code, reason }] of unusable) {
    const campaign = byCode.has(id) ? undefined : candidates.campaigns.get(id);
    if (campaign) uses.push({ campaign, usage: usageOf(campaign), code, reason });
  }
  const named = new Set(uses.map(({ campaign: { rules } }) => rules.id));
  uses.push(...othersThan(named, candidates.others, now));

  const evaluation = evaluate({ cart, shopper, campaigns: uses, now });
  const applied = new Set(evaluation.campaigns.flatMap((one) => (one.applied && one.code !== null ? [one.code] : [])));
  return { ...evaluation, codes: codes.map((code) => evaluatedCode(code, applied, candidates, now)) };

  function usageOf({ rules }: CompiledCampaign): Usage {
    return candidates.usage.get(rules.id) ?? neverUsed;
  }
}

/** Returns running campaigns that match nothing in the cart. */
function othersThan(named: ReadonlySet<string>, others: Candidates['others'], now: Date): CampaignUse[] {
  const found: CampaignUse[] = [];
  for (const campaign of others) {
    if (named.size + found.length >= namedAtMost) break;
    if (!named.has(campaign.rules.id) && statusAt(campaign.rules, now) === 'active')
      found.push({ campaign, usage: neverUsed, code: null, reason: 'no_matching_items' });
  }
  return found;
}

function knownCode(code: string, { codes, campaigns }: Candidates): { code: Code; campaign: CompiledCampaign } | null {
  const known = codes.get(code);
  const campaign = known && campaigns.get(known.campaignId);
  return known && campaign && campaign.rules.stage !== 'draft' ? { code: known, campaign } : null;
}

function unusableReason({ hasEnded, uses, maximumUses }: Code): 'ended' | 'used_up' | null {
  if (hasEnded) return 'ended';
  return maximumUses !== null && uses >= maximumUses ? 'used_up' : null;
}

function evaluatedCode(code: string, applied: ReadonlySet<string>, candidates: Candidates, now: Date): EvaluatedCode {
  const known = knownCode(code, candidates);
  if (!known) return { code, status: 'unknown', campaignId: null };
  const { campaignId } = known.code;
  if (applied.has(code)) return { code, status: 'applied', campaignId };
  if (statusAt(known.campaign.rules, now) === 'ended') return { code, status: 'ended', campaignId };
  return { code, status: unusableReason(known.code) ?? 'not_applied', campaignId };
}

export interface EvaluationInput {
  readonly cart: Cart;
  readonly shopper: Shopper;
  /** Duplicates are ignored after the first. */
  readonly campaigns: readonly CampaignUse[];
  readonly now: Date;
}

/**
 * Calculates what the campaigns take off a cart. Discounts on items come first, then those on the order, then those on
 * shipping; within each of these by priority, then by id. All stackable campaigns together (the stack) compete with
 * each exclusive campaign alone, and the greatest amount wins. Of equal amounts, the lower priority wins, then the
 * lower id. The stack has the priority and id of its first campaign that applies. Throws a RangeError where the cart
 * costs more than an exact number can be: see `priceOf`.
 */
export function evaluate({ cart, shopper, campaigns, now }: EvaluationInput): CartEvaluation {
  const price = priceOf(cart);
  if (typeof price === 'bigint') throw new RangeError(`${price} is too much for a cart`);
  const lines = withoutDiscount(cart.lines);
  const subtotal = lines.reduce((total, line) => total + line.subtotal, 0);
  const quantity = lines.reduce((total, { line }) => total + line.quantity, 0);
  const shipping = cart.shipping ?? 0;
  const whole = wholeOf(groupsOf(lines), shipping);

  const input = { currency: cart.currency, subtotal, quantity, shopper, now };
  const uses = inOrder(campaigns);
  const notApplied = new Map<CampaignUse, NotApplied>();
  const stackable: CampaignUse[] = [];
  const exclusive: CampaignUse[] = [];
  for (const use of uses) {
    const { campaign, usage, reason } = use;
    const why = reason === null ? whyNotEligible(campaign.rules, usage, input) : { reason, missing: null };
    if (why !== null) notApplied.set(use, why);
    else (isExclusive(use) ? exclusive : stackable).push(use);
  }
  const offers = [stackable, ...exclusive.map((use) => [use])].map((together) => offerOf(together, whole));
  const best = bestOf(offers, uses);
  for (const offer of offers)
    for (const [use, outcome] of offer.outcomes) if ('reason' in outcome) notApplied.set(use, outcome);

  let shippingDiscount = 0;
  for (const [{ campaign }, outcome] of best.outcomes) {
    if ('reason' in outcome) continue;
    if (campaign.phase === 'shipping') shippingDiscount += outcome.amount;
    let at = 0;
    for (const { remaining } of outcome.from) takeOff(remaining.group, campaign.rules.id, outcome.amounts[at++] ?? 0);
  }
  return {
    currency: cart.currency,
    subtotal,
    discount: best.amount - shippingDiscount,
    shipping,
    shippingDiscount,
    total: subtotal - best.amount + shipping,
    lines: lines.map(evaluatedLine),
    campaigns: uses.map((use) =>
      evaluatedCampaign(use, notApplied.get(use) ?? best.outcomes.get(use) ?? beatenByBest(use)),
    ),
  };
}

/** Returns the campaigns by priority, then by id, each once and without drafts. */
function inOrder(campaigns: readonly CampaignUse[]): CampaignUse[] {
  const seen = new Set<string>();
  return campaigns
    .filter(({ campaign: { rules } }) => rules.stage !== 'draft' && seen.size < seen.add(rules.id).size)
    .toSorted((a, b) => byPriority(a.campaign.rules, b.campaign.rules));
}

function isExclusive({ campaign: { rules } }: CampaignUse): boolean {
  return rules.combination === 'exclusive';
}

/** Returns the reason of a campaign that could apply but was not part of the best offer. */
function beatenByBest(use: CampaignUse): NotApplied {
  return { reason: isExclusive(use) ? 'better_offer_applied' : 'excluded_by_other', missing: null };
}

function evaluatedLine({ line, subtotal, discount, discounts }: DiscountedLine): EvaluatedLine {
  const { categoryIds: _notShown, ...shown } = line;
  return { ...shown, subtotal, discount, total: subtotal - discount, discounts };
}

function evaluatedCampaign(
  { campaign: { rules }, code }: CampaignUse,
  outcome: AppliedDeduction | NotApplied,
): EvaluatedCampaign {
  const { id: campaignId, name } = rules;
  return 'reason' in outcome
    ? { campaignId, name, code, applied: false, amount: 0, reason: outcome.reason, missing: outcome.missing }
    : { campaignId, name, code, applied: true, amount: outcome.amount, reason: null, missing: null };
}

/** The data that conditions of campaigns need. */
interface ConditionInput {
  readonly currency: string;
  readonly subtotal: number;
  readonly quantity: number;
  readonly shopper: Shopper;
  readonly now: Date;
}

/**
 * Returns the first reason why a campaign can't apply, whatever other campaigns there are. Null where there is no such
 * reason.
 */
function whyNotEligible(rules: CampaignRules, usage: Usage, input: ConditionInput): NotApplied | null {
  const { subtotal, quantity } = input;
  const { minimumSubtotal, minimumQuantity } = rules.conditions;
  const reason =
    statusReason(rules, input.now) ??
    (rules.currency === input.currency ? null : 'other_currency') ??
    shopperReason(rules, input.shopper) ??
    limitReason(rules, usage, input.shopper);
  if (reason !== null) return { reason, missing: null };
  if (minimumSubtotal !== null && subtotal < minimumSubtotal)
    return { reason: 'minimum_subtotal', missing: minimumSubtotal - subtotal };
  if (minimumQuantity !== null && quantity < minimumQuantity)
    return { reason: 'minimum_quantity', missing: minimumQuantity - quantity };
  return null;
}

function statusReason(rules: CampaignRules, now: Date): Reason | null {
  const status = statusAt(rules, now);
  switch (status) {
    case 'active':
      return null;
    case 'ended':
    case 'paused':
      return status;
    case 'draft':
    case 'scheduled':
      return 'not_started';
  }
}

function shopperReason({ conditions, limits }: CampaignRules, { segment, userId, hasOrdered }: Shopper): Reason | null {
  const { segment: wanted, firstOrderOnly } = conditions;
  const isWrongSegment = wanted !== 'all' && wanted !== segment;
  const needsUser = (isWrongSegment && wanted === 'trade') || limits.perUser !== null || firstOrderOnly;
  if (userId === null && needsUser) return 'sign_in_required';
  if (isWrongSegment) return 'wrong_segment';
  return firstOrderOnly && hasOrdered ? 'not_first_order' : null;
}

function limitReason({ id, limits }: CampaignRules, { redemptions }: Usage, { uses }: Shopper): Reason | null {
  if (limits.total !== null && redemptions >= limits.total) return 'used_up';
  return limits.perUser !== null && (uses.get(id) ?? 0) >= limits.perUser ? 'used_up_by_you' : null;
}
