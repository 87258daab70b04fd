import { divideHalfUp, product, share, spread, sum, type Exact, type Part } from '@storefront/money';
import type { Discount } from '../campaigns/rules.ts';
import type { CartLine } from './cart.ts';
import { phases, type CompiledCampaign } from './compiled-campaigns.ts';
import type { Reason } from './evaluation.ts';

/** What all redemptions of a campaign together have taken. */
export interface Usage {
  readonly redemptions: number;
  /** In minor units. */
  readonly amount: number;
}

/** A campaign that a cart may get: an automatic one, or one that a code asks for. */
export interface CampaignUse {
  readonly campaign: CompiledCampaign;
  readonly usage: Usage;
  /** The code that asks for it. */
  readonly code: string | null;
  /** Why it takes nothing off whatever the cart is; null where that is to be worked out. */
  readonly reason: Reason | null;
}

/** Why a campaign takes nothing off. */
export interface NotApplied {
  readonly reason: Reason;
  /** What is still needed to reach a minimum: minor units, or units. */
  readonly missing: number | null;
}

/** Campaigns that apply together, and what they take off. */
export interface Offer {
  readonly amount: number;
  /** What each takes off, or why it takes nothing; in the order in which the deductions were made. */
  readonly outcomes: ReadonlyMap<CampaignUse, AppliedDeduction | NotApplied>;
}

/** A line, and what discounts have taken off it so far. */
export interface DiscountedLine {
  readonly line: CartLine;
  readonly subtotal: number;
  discount: number;
  readonly discounts: { readonly campaignId: string; readonly amount: number }[];
}

/**
 * All units of a cart that have the same product and the same price, in whichever lines. Discounts are worked out with groups, so
 * neither the order of the lines nor a line that is split changes a total.
 */
interface Group {
  readonly productId: string;
  readonly unitPrice: number;
  readonly categoryIds: readonly string[];
  readonly quantity: number;
  readonly subtotal: number;
  /** In the order of the cart. */
  readonly lines: readonly DiscountedLine[];
}

/** What discounts have left of a cart so far. */
interface Remaining {
  readonly groups: readonly RemainingGroup[];
  shipping: number;
}

interface RemainingGroup {
  readonly group: Group;
  amount: number;
}

/** What a campaign takes off: the amount is spread over the groups of `from`, or comes off the shipping where there is none. */
interface Deduction {
  readonly amount: number;
  readonly from: readonly (Part & { readonly remaining: RemainingGroup })[];
}

export interface AppliedDeduction extends Deduction {
  /** How much came off each group of `from`. */
  readonly amounts: readonly number[];
}

/**
 * What campaigns together take off a cart from which nothing was taken: in each phase one after the other, in the order given. A
 * campaign whose amount does not fit into what is left of its budget is left out, and the others are worked out without it.
 */
export function offerOf(uses: readonly CampaignUse[], whole: Remaining): Offer {
  const remaining = copyOf(whole);
  const outcomes = new Map<CampaignUse, AppliedDeduction | NotApplied>();
  let total = 0;
  for (const phase of phases)
    for (const use of uses) {
      if (use.campaign.phase !== phase) continue;
      const deduction = deductionOf(use.campaign, remaining);
      const { budget } = use.campaign.rules.limits;
      if (deduction.amount === 0) {
        outcomes.set(use, { reason: reasonForNothing(use, deduction, whole), missing: null });
      } else if (budget !== null && deduction.amount > budget - use.usage.amount) {
        outcomes.set(use, { reason: 'budget_exhausted', missing: null });
      } else {
        outcomes.set(use, { ...deduction, amounts: deduct(deduction, remaining) });
        total += deduction.amount;
      }
    }
  return { amount: total, outcomes };
}

/** Distinguishes a campaign that matches nothing in the cart from one for which others have left nothing. */
function reasonForNothing({ campaign }: CampaignUse, { from }: Deduction, whole: Remaining): Reason {
  const isMatch = from.length > 0 || campaign.phase === 'shipping';
  return isMatch && deductionOf(campaign, whole).amount > 0 ? 'excluded_by_other' : 'no_matching_items';
}

/** The greatest amount wins; of equal amounts the offer whose first campaign that applies comes first in `uses`. */
export function bestOf(offers: readonly Offer[], uses: readonly CampaignUse[]): Offer {
  const firstApplied = ({ outcomes }: Offer) =>
    uses.findIndex((use) => {
      const outcome = outcomes.get(use);
      return outcome !== undefined && !('reason' in outcome);
    });
  return offers.reduce((best, offer) => {
    if (offer.amount !== best.amount) return offer.amount > best.amount ? offer : best;
    return offer.amount > 0 && firstApplied(offer) < firstApplied(best) ? offer : best;
  });
}

/** The lines of a cart without any discount. */
export function withoutDiscount(lines: readonly CartLine[]): DiscountedLine[] {
  return lines.map((line) => ({ line, subtotal: line.quantity * line.unitPrice, discount: 0, discounts: [] }));
}

/** The groups, ordered by product, then by price. */
export function groupsOf(lines: readonly DiscountedLine[]): Group[] {
  const groups: (Group & { quantity: number; subtotal: number; lines: DiscountedLine[] })[] = [];
  for (const discounted of lines.toSorted(byProductAndPrice)) {
    const { productId, unitPrice, categoryIds, quantity } = discounted.line;
    const last = groups.at(-1);
    if (last?.productId === productId && last.unitPrice === unitPrice) {
      last.quantity += quantity;
      last.subtotal += discounted.subtotal;
      last.lines.push(discounted);
    } else {
      groups.push({ productId, unitPrice, categoryIds, quantity, subtotal: discounted.subtotal, lines: [discounted] });
    }
  }
  return groups;
}

function byProductAndPrice({ line: a }: DiscountedLine, { line: b }: DiscountedLine): number {
  if (a.productId !== b.productId) return a.productId < b.productId ? -1 : 1;
  return a.unitPrice - b.unitPrice;
}

/** A cart from which nothing has been taken. */
export function wholeOf(groups: readonly Group[], shipping: number): Remaining {
  return { groups: groups.map((group) => ({ group, amount: group.subtotal })), shipping };
}

/** A copy that deductions can change without changing the original. */
function copyOf({ groups, shipping }: Remaining): Remaining {
  return { groups: groups.map(({ group, amount }) => ({ group, amount })), shipping };
}

/**
 * What a campaign takes off the remaining cart, never more than there is. A percentage is rounded once, half up; a fixed amount is
 * taken once, of all matching products together.
 */
function deductionOf(campaign: CompiledCampaign, remaining: Remaining): Deduction {
  const { discount } = campaign.rules;
  switch (discount.type) {
    case 'percentage': {
      const from = matching(campaign, remaining);
      return { amount: atMost(discount.maximumAmount, share(amountOf(from), discount.basisPoints)), from };
    }
    case 'fixed-amount': {
      const from = matching(campaign, remaining);
      return { amount: Math.min(discount.amount, amountOf(from)), from };
    }
    case 'buy-x-get-y': {
      const given = givenUnits(discount, campaign, remaining.groups);
      const { weights, scale } = valueOf(given);
      return {
        amount: divideHalfUp(product(sum(weights), discount.get.basisPoints), product(scale, 10_000)),
        from: given.map(({ remaining: group }, index) => ({
          remaining: group,
          weight: weights[index] ?? 0,
          atMost: group.amount,
        })),
      };
    }
    case 'free-shipping':
      return { amount: atMost(discount.maximumAmount, remaining.shipping), from: [] };
  }
}

function matching({ takesFrom }: CompiledCampaign, { groups }: Remaining): Deduction['from'] {
  const from: (Part & { readonly remaining: RemainingGroup })[] = [];
  for (const remaining of groups)
    if (takesFrom(remaining.group)) from.push({ remaining, weight: remaining.amount, atMost: remaining.amount });
  return from;
}

function amountOf(from: Deduction['from']): number {
  let total = 0;
  for (const { atMost: amount } of from) total += amount;
  return total;
}

function atMost(maximum: number | null, amount: number): number {
  return maximum === null ? amount : Math.min(maximum, amount);
}

/** Takes the deduction off the remaining cart. Returns how much came off each group of `from`. */
function deduct({ amount, from }: Deduction, remaining: Remaining): readonly number[] {
  if (from.length === 0) {
    remaining.shipping -= amount;
    return [];
  }
  const amounts = spread(amount, from);
  let at = 0;
  for (const { remaining: group } of from) group.amount -= amounts[at++] ?? 0;
  return amounts;
}

/** Takes an amount off the lines of a group, from each in proportion to what is left of it. */
export function takeOff({ lines }: Group, campaignId: string, amount: number): void {
  const [first] = lines;
  if (lines.length === 1 && first !== undefined) {
    takeOffLine(first, campaignId, amount);
    return;
  }
  const parts = lines.map(({ subtotal, discount }) => ({ weight: subtotal - discount, atMost: subtotal - discount }));
  const amounts = spread(amount, parts).values();
  for (const line of lines) takeOffLine(line, campaignId, amounts.next().value ?? 0);
}

function takeOffLine(line: DiscountedLine, campaignId: string, amount: number): void {
  if (amount === 0) return;
  line.discount += amount;
  line.discounts.push({ campaignId, amount });
}

type BuyXGetY = Extract<Discount, { readonly type: 'buy-x-get-y' }>;

/** Units of a group that are given. */
interface GivenUnits {
  readonly remaining: RemainingGroup;
  readonly units: number;
}

/**
 * The units that are given: the cheapest that match, by unit price. A unit counts as bought or as given, so of those that match both
 * selectors enough stay to be bought. Only whole applications count.
 */
function givenUnits(
  { buy, get, maximumApplications }: BuyXGetY,
  campaign: CompiledCampaign,
  groups: readonly RemainingGroup[],
): GivenUnits[] {
  const giveable: { readonly remaining: RemainingGroup; readonly isBought: boolean }[] = [];
  const units = { bought: 0, giveable: 0, either: 0 };
  for (const remaining of groups) {
    const { group } = remaining;
    const isBought = campaign.buys(group);
    const isGiveable = campaign.takesFrom(group);
    if (isGiveable) giveable.push({ remaining, isBought });
    if (isGiveable) units.giveable += group.quantity;
    if (isBought) units.bought += group.quantity;
    if (isBought || isGiveable) units.either += group.quantity;
  }
  // As many as there are enough units for, of each kind and of both together.
  const applications = Math.min(
    Math.floor(units.bought / buy.quantity),
    Math.floor(units.giveable / get.quantity),
    Math.floor(units.either / (buy.quantity + get.quantity)),
    maximumApplications ?? Infinity,
  );

  let wanted = applications * get.quantity;
  let spare = units.bought - applications * buy.quantity;
  const given: GivenUnits[] = [];
  if (wanted === 0) return given;
  giveable.sort((a, b) => a.remaining.group.unitPrice - b.remaining.group.unitPrice);
  for (const { remaining, isBought } of giveable) {
    const count = Math.min(wanted, remaining.group.quantity, isBought ? spare : Infinity);
    if (count === 0) continue;
    given.push({ remaining, units: count });
    wanted -= count;
    if (isBought) spare -= count;
  }
  return given;
}

/**
 * What is left of given units: of each group `weight / scale` minor units, an exact fraction, since what remains of a group belongs to
 * all of its units alike.
 */
function valueOf(given: readonly GivenUnits[]): { readonly weights: readonly Exact[]; readonly scale: Exact } {
  const divided = given.filter(({ remaining, units }) => units < remaining.group.quantity);
  return {
    weights: given.map((one) => {
      const others = divided.filter((other) => other !== one);
      const isDivided = one.units < one.remaining.group.quantity;
      return product(product(one.remaining.amount, isDivided ? one.units : 1), quantities(others));
    }),
    scale: quantities(divided),
  };
}

function quantities(given: readonly GivenUnits[]): Exact {
  return given.reduce<Exact>((scale, { remaining }) => product(scale, remaining.group.quantity), 1);
}
