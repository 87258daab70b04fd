import type { CampaignRules, CampaignStatus } from './rules.ts';
import { statusAt } from './rules.ts';

type Conditions = CampaignRules['conditions'];

/** A campaign as administrators see it. */
export interface Campaign extends Omit<CampaignRules, 'conditions'> {
  readonly description: string | null;
  readonly conditions: Omit<Conditions, 'startsAt'> & {
    /** Inclusive. Null in a draft that starts with its activation. */
    readonly startsAt: Conditions['startsAt'] | null;
  };
  /** When it was activated first. */
  readonly activatedAt: Date | null;
  /** When an administrator ended it. */
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What was taken off through a campaign: the sum of its held and confirmed redemptions. */
export interface CampaignUsage {
  readonly redemptions: number;
  /** In minor units. */
  readonly amount: number;
  /** Whether it was ever redeemed, also where all was given back since. */
  readonly ever: boolean;
}

/** The rules by which it is evaluated; null where it is a draft without a start. */
export function rulesOf(campaign: Campaign): CampaignRules | null {
  const { id, name, trigger, currency, stage, discount, conditions, limits, priority, combination } = campaign;
  const { startsAt } = conditions;
  if (startsAt === null) return null;
  return {
    id,
    name,
    trigger,
    currency,
    stage,
    discount,
    conditions: { ...conditions, startsAt },
    limits,
    priority,
    combination,
  };
}

/** The status at a time. */
export function statusOf(campaign: Campaign, now: Date): CampaignStatus {
  const rules = rulesOf(campaign);
  return rules === null ? 'draft' : statusAt(rules, now);
}
