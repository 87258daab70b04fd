import { divideHalfUp, product, share, spread, sum, type Exact, type Part } from '@storefront/money';
import type { Discount } from '../campaigns/rules.ts';
import type { CartLine } from './cart.ts';
import { phases, type CompiledCampaign } from './compiled-campaigns.ts';
import type { Reason } from './evaluation.ts';

/** The sums of all redemptions of a campaign. */
export interface Usage {
  readonly redemptions: number;
  /** The discounts in minor units. */
  readonly amount: number;
}

/** A campaign that may apply to a cart: an automatic campaign, or one whose code was entered. */
export interface CampaignUse {
  readonly campaign: CompiledCampaign;
  readonly usage: Usage;
  /** The entered code of the campaign; null for an automatic campaign. */
  readonly code: string | null;
  /** Why the campaign takes nothing off, whatever the cart contains. Null where this depends on the cart. */
  readonly reason: Reason | null;
}

/** Why a campaign takes nothing off a cart. */
export interface NotApplied {
  readonly reason: Reason;
  /** How much is still needed to reach a minimum: an amount in minor units, or a number of units. */
  readonly missing: number | null;
}

/** Campaigns that apply together, and the amounts that they take off. */
export interface Offer {
  readonly amount: number;
  /** The amount that each campaign takes off, or why it takes nothing, in the order of the deductions. */
  readonly outcomes: ReadonlyMap<CampaignUse, AppliedDeduction | NotApplied>;
}

/** A line, and the discounts that were taken off it so far. */
export interface DiscountedLine {
  readonly line: CartLine;
  readonly subtotal: number;
  discount: number;
  readonly discounts: { readonly campaignId: string; readonly amount: number }[];
}

/**
 * All units in a cart with the same variant and the same price, from any lines. Discounts are calculated for groups, so
 * neither the order of the lines nor splitting a line changes a total.
 */
interface Group {
  readonly productId: string;
  readonly variantId: string | null;
  readonly unitPrice: number;
  readonly categoryIds: readonly string[];
  readonly quantity: number;
  readonly subtotal: number;
  /** The lines of the group in the order of the cart. */
  readonly lines: readonly DiscountedLine[];
}

/** The amounts of a cart that remain after the discounts so far. */
interface Remaining {
  readonly groups: readonly RemainingGroup[];
  shipping: number;
}

interface RemainingGroup {
  readonly group: Group;
  amount: number;
}

/**
 * The deduction of a campaign. The amount is spread over the groups in `from`. Where `from` is empty, the amount is
 * taken off shipping.
 */
interface Deduction {
  readonly amount: number;
  readonly from: readonly (Part & { readonly remaining: RemainingGroup })[];
}

export interface AppliedDeduction extends Deduction {
  /** How much was taken off each group of `from`. */
  readonly amounts: readonly number[];
}

/**
 * Calculates what campaigns together take off a whole cart. In each phase, campaigns apply one after the other, in the
 * given order. A campaign whose amount is more than the rest of its budget is left out, and the others are calculated
 * without it.
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

/** Returns why a campaign takes nothing off: it matches nothing in the cart, or other campaigns have left nothing. */
function reasonForNothing({ campaign }: CampaignUse, { from }: Deduction, whole: Remaining): Reason {
  const isMatch = from.length > 0 || campaign.phase === 'shipping';
  return isMatch && deductionOf(campaign, whole).amount > 0 ? 'excluded_by_other' : 'no_matching_items';
}

/**
 * Returns the offer with the greatest amount. Of equal offers, this is the one whose first applied campaign comes first
 * in `uses`.
 */
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

/** Returns the lines of a cart without any discount. */
export function withoutDiscount(lines: readonly CartLine[]): DiscountedLine[] {
  return lines.map((line) => ({ line, subtotal: line.quantity * line.unitPrice, discount: 0, discounts: [] }));
}

/** Returns the groups of the lines, ordered by product, then by variant, then by price. */
export function groupsOf(lines: readonly DiscountedLine[]): Group[] {
  const groups: (Group & { quantity: number; subtotal: number; lines: DiscountedLine[] })[] = [];
  for (const discounted of lines.toSorted(byVariantAndPrice)) {
    const { productId, variantId, unitPrice, categoryIds, quantity } = discounted.line;
    const { subtotal } = discounted;
    const last = groups.at(-1);
    if (last?.productId === productId && last.variantId === variantId && last.unitPrice === unitPrice) {
      last.quantity += quantity;
      last.subtotal += subtotal;
      last.lines.push(discounted);
    } else {
      groups.push({ productId, variantId, unitPrice, categoryIds, quantity, subtotal, lines: [discounted] });
    }
  }
  return groups;
}

function byVariantAndPrice({ line: a }: DiscountedLine, { line: b }: DiscountedLine): number {
  if (a.productId !== b.productId) return a.productId < b.productId ? -1 : 1;
  const [variantOfA, variantOfB] = [a.variantId ?? '', b.variantId ?? ''];
  if (variantOfA !== variantOfB) return variantOfA < variantOfB ? -1 : 1;
  return a.unitPrice - b.unitPrice;
}

/** Returns a cart from which nothing has been taken off. */
export function wholeOf(groups: readonly Group[], shipping: number): Remaining {
  return { groups: groups.map((group) => ({ group, amount: group.subtotal })), shipping };
}

/** Returns a copy, so that deductions do not change the original. */
function copyOf({ groups, shipping }: Remaining): Remaining {
  return { groups: groups.map(({ group, amount }) => ({ group, amount })), shipping };
}

/**
 * Calculates what a campaign takes off the remaining cart, never more than remains. A percentage is rounded once, half
 * up. A fixed amount is taken once from all matching products together.
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

/** Takes the deduction off the remaining cart. Returns how much was taken off each group of `from`. */
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

/** Takes an amount off the lines of a group, from each line in proportion to its remaining amount. */
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

/** The units of a group that the campaign gives for less. */
interface GivenUnits {
  readonly remaining: RemainingGroup;
  readonly units: number;
}

/**
 * Returns the units that the campaign gives for less: the cheapest matching units by unit price. A unit counts either
 * as bought or as given. So of units that match both selectors, enough stay as bought ones. Only complete applications
 * of the discount count.
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
  // The number of applications for which there are enough units to buy, enough units to give, and enough of both
  // together.
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
 * Calculates the remaining value of given units. For each group the value is `weight / scale` minor units. This is an
 * exact fraction, because the remaining amount of a group belongs to all its units equally.
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
