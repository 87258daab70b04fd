import { statusAt, type CampaignRules } from '../campaigns/rules.ts';
import type { Shopper } from './cart.ts';

/** Why a campaign does not apply. */
export type Reason =
  | 'not_started'
  | 'ended'
  | 'paused'
  | 'other_currency'
  | 'sign_in_required'
  | 'wrong_segment'
  | 'not_first_order'
  | 'used_up'
  | 'used_up_by_you'
  | 'minimum_subtotal'
  | 'minimum_quantity'
  | 'no_matching_items'
  | 'budget_exhausted'
  | 'excluded_by_other'
  | 'better_offer_applied';

/** What all redemptions of a campaign together have taken. */
export interface Usage {
  readonly redemptions: number;
  readonly amount: number;
}

export interface Obstacle {
  readonly reason: Reason;
  /** What is still needed to reach a minimum: minor units, or units. */
  readonly missing: number | null;
}

interface Circumstances {
  readonly currency: string;
  readonly subtotal: number;
  readonly quantity: number;
  readonly shopper: Shopper;
  readonly now: Date;
}

/** The first reason why a campaign can't apply, whatever other campaigns there are; null where there is none. */
export function obstacleOf(rules: CampaignRules, usage: Usage, circumstances: Circumstances): Obstacle | null {
  const { subtotal, quantity } = circumstances;
  const { minimumSubtotal, minimumQuantity } = rules.conditions;
  const reason =
    statusReason(rules, circumstances.now) ??
    (rules.currency === circumstances.currency ? null : 'other_currency') ??
    shopperReason(rules, circumstances.shopper) ??
    limitReason(rules, usage, circumstances.shopper);
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
