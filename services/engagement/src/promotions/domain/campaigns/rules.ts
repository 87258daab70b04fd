import { engagementHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/**
 * Which products a rule is about. A product matches by its id, or by one of its categories or their ancestors; `null` and `null`
 * are all products. `excludedProducts` wins over both.
 */
const selector = z.object({
  products: z.array(z.string()).nullable(),
  categories: z.array(z.string()).nullable(),
  excludedProducts: z.array(z.string()),
});
export type Selector = StateOf<typeof selector>;

/** How many units of which products. */
const units = z.object({ quantity: z.int(), items: selector });
const target = z.enum(['order', 'items']);

/** What a campaign takes off. Amounts are in minor units; 10,000 basis points are 100 %. */
const discount = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('percentage'),
    basisPoints: z.int(),
    target,
    items: selector,
    maximumAmount: z.int().nullable(),
  }),
  z.object({ type: z.literal('fixed-amount'), amount: z.int(), target, items: selector }),
  z.object({
    type: z.literal('buy-x-get-y'),
    buy: units,
    get: units.extend({ basisPoints: z.int() }),
    maximumApplications: z.int().nullable(),
  }),
  z.object({ type: z.literal('free-shipping'), maximumAmount: z.int().nullable() }),
]);
export type Discount = StateOf<typeof discount>;

/** A campaign as it is stored. */
export const campaign = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  trigger: engagementHttp.campaignTrigger,
  /** ISO 4217: of all its amounts, and of the carts it applies to. */
  currency: z.string(),
  /** What an administrator did with the campaign. Its status follows from that and from the clock: see `statusAt`. */
  stage: z.enum(['draft', 'activated', 'paused', 'ended']),
  discount,
  conditions: z.object({
    segment: engagementHttp.segment,
    /** Inclusive. Null in a draft that starts with its activation. */
    startsAt: z.date().nullable(),
    /** Exclusive. */
    endsAt: z.date().nullable(),
    /** Of the whole cart, before any discount. */
    minimumSubtotal: z.int().nullable(),
    /** Units of the whole cart. */
    minimumQuantity: z.int().nullable(),
    firstOrderOnly: z.boolean(),
  }),
  limits: z.object({
    /** Redemptions of all users together. */
    total: z.int().nullable(),
    perUser: z.int().nullable(),
    /** What all redemptions together may take off. */
    budget: z.int().nullable(),
  }),
  /** Lower first. */
  priority: z.int(),
  /** An exclusive campaign applies alone, or not at all. */
  combination: engagementHttp.combination,
  /** When it was activated first. */
  activatedAt: z.date().nullable(),
  /** When an administrator ended it. */
  endedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Campaign = StateOf<typeof campaign>;

export type CampaignStatus = engagementHttp.CampaignStatus;

/** Everything about a campaign that decides what it takes off, and from whom. */
export interface CampaignRules extends Omit<
  Campaign,
  'description' | 'conditions' | 'activatedAt' | 'endedAt' | 'createdAt' | 'updatedAt'
> {
  readonly conditions: Omit<Campaign['conditions'], 'startsAt'> & { readonly startsAt: Date };
}

/** What was taken off through a campaign: the sum of its held and confirmed redemptions. */
export const campaignUsage = z.object({
  redemptions: z.int(),
  /** In minor units. */
  amount: z.int(),
  /** Whether it was ever redeemed, also where all was given back since. */
  ever: z.boolean(),
});
export type CampaignUsage = StateOf<typeof campaignUsage>;

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
 * The status now. Where another instance with a clock that is ahead has activated the campaign, it counts as activated all the same.
 */
export function statusOf(campaign: Campaign, now: Date): CampaignStatus {
  const rules = rulesOf(campaign);
  return rules === null ? 'draft' : statusAt(rules, notBefore(now, campaign.activatedAt));
}

/** The status at a time. A campaign past its end is `ended`, also where it is paused; a draft stays a draft. */
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
