import type { engagementHttp } from '@storefront/contracts';

/**
 * Which products a rule is about. A product matches by its id, or by one of its categories or their ancestors; `null` and `null`
 * are all products. `excludedProducts` wins over both.
 */
export interface Selector {
  readonly products: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly excludedProducts: readonly string[];
}

/** How many units of which products. */
interface Units {
  readonly quantity: number;
  readonly items: Selector;
}

/** What a campaign takes off. Amounts are in minor units; 10,000 basis points are 100 %. */
export type Discount =
  | {
      readonly type: 'percentage';
      readonly basisPoints: number;
      readonly target: 'order' | 'items';
      readonly items: Selector;
      readonly maximumAmount: number | null;
    }
  | {
      readonly type: 'fixed-amount';
      readonly amount: number;
      readonly target: 'order' | 'items';
      readonly items: Selector;
    }
  | {
      readonly type: 'buy-x-get-y';
      readonly buy: Units;
      readonly get: Units & { readonly basisPoints: number };
      readonly maximumApplications: number | null;
    }
  | { readonly type: 'free-shipping'; readonly maximumAmount: number | null };

/** What an administrator did with a campaign. The clock does the rest: see `statusAt`. */
export const campaignStages = ['draft', 'activated', 'paused', 'ended'] as const;
type CampaignStage = (typeof campaignStages)[number];

export type CampaignStatus = engagementHttp.CampaignStatus;

/** Everything about a campaign that decides what it takes off, and from whom. */
export interface CampaignRules {
  readonly id: string;
  readonly name: string;
  readonly trigger: 'automatic' | 'code';
  /** ISO 4217: of all its amounts, and of the carts it applies to. */
  readonly currency: string;
  readonly stage: CampaignStage;
  readonly discount: Discount;
  readonly conditions: {
    readonly segment: 'all' | 'retail' | 'trade';
    /** Inclusive. */
    readonly startsAt: Date;
    /** Exclusive. */
    readonly endsAt: Date | null;
    /** Of the whole cart, before any discount. */
    readonly minimumSubtotal: number | null;
    /** Units of the whole cart. */
    readonly minimumQuantity: number | null;
    readonly firstOrderOnly: boolean;
  };
  readonly limits: {
    /** Redemptions of all users together. */
    readonly total: number | null;
    readonly perUser: number | null;
    /** What all redemptions together may take off. */
    readonly budget: number | null;
  };
  /** Lower first. */
  readonly priority: number;
  /** An exclusive one applies alone, or not at all. */
  readonly combination: 'stackable' | 'exclusive';
}

type Conditions = CampaignRules['conditions'];

/** A campaign as it is stored. */
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

/** The rules by which a campaign is evaluated; null where it is a draft without a start. */
export function rulesOf(campaign: Campaign): CampaignRules | null {
  const {
    description: _,
    activatedAt: _first,
    endedAt: _end,
    createdAt: _created,
    updatedAt: _updated,
    ...rules
  } = campaign;
  const { startsAt } = rules.conditions;
  return startsAt === null ? null : { ...rules, conditions: { ...rules.conditions, startsAt } };
}

/**
 * The status now. A campaign that was activated by an instance whose clock is ahead is not `scheduled` for an instance whose clock is
 * behind.
 */
export function statusOf(campaign: Campaign, now: Date): CampaignStatus {
  const rules = rulesOf(campaign);
  return rules === null ? 'draft' : statusAt(rules, notBefore(now, campaign.activatedAt));
}

/** The status at a time. One that is past its end is `ended`, also where it is paused; a draft stays one. */
export function statusAt(
  { stage, conditions }: Pick<CampaignRules, 'stage' | 'conditions'>,
  now: Date,
): CampaignStatus {
  if (stage === 'draft' || stage === 'ended') return stage;
  if (conditions.endsAt !== null && now.getTime() >= conditions.endsAt.getTime()) return 'ended';
  if (stage === 'paused') return 'paused';
  return now.getTime() < conditions.startsAt.getTime() ? 'scheduled' : 'active';
}

/** The later of the two times. */
export function notBefore(now: Date, known: Date | null): Date {
  return known !== null && known > now ? known : now;
}

/** The order in which campaigns apply, for `sort`: by priority, then by id. */
export function byPriority(
  a: Pick<CampaignRules, 'id' | 'priority'>,
  b: Pick<CampaignRules, 'id' | 'priority'>,
): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : Number(a.id > b.id));
}
