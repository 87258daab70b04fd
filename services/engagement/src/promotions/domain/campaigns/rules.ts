import { engagementHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/**
 * Selects the items of a rule. An item is a variant of a product. It matches by the id of its product, by its own, or by
 * one of the product's categories or their ancestors. Where all three are null, every item matches. Items of
 * `excludedProducts` and `excludedVariants` never match.
 */
const selector = z.object({
  products: z.array(z.string()).nullable(),
  variants: z.array(z.string()).nullable(),
  categories: z.array(z.string()).nullable(),
  excludedProducts: z.array(z.string()),
  excludedVariants: z.array(z.string()),
});
export type Selector = StateOf<typeof selector>;

type Naming = { readonly [Field in 'products' | 'variants' | 'categories']?: Selector[Field] | undefined };

/** Whether the selector, stored or of a request, matches every item that it does not exclude. */
export function isOfAll({ products, variants, categories }: Naming): boolean {
  return !products && !variants && !categories;
}

/** A number of units of the selected items. */
const units = z.object({ quantity: z.int(), items: selector });
const target = z.enum(['order', 'items']);

/** The discount of a campaign. Amounts are in minor units; 10,000 basis points are 100 %. */
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
  /** The ISO 4217 code of the campaign's amounts. The campaign applies only to carts in this currency. */
  currency: z.string(),
  /** The last action of staff. The status follows from the stage and the time: see `statusAt`. */
  stage: z.enum(['draft', 'activated', 'paused', 'ended']),
  discount,
  conditions: z.object({
    segment: engagementHttp.segment,
    /** The start, inclusive. Null in a draft that starts with its activation. */
    startsAt: z.date().nullable(),
    /** The end, exclusive. */
    endsAt: z.date().nullable(),
    /** The least subtotal of the whole cart before discounts, in minor units. */
    minimumSubtotal: z.int().nullable(),
    /** The least number of units in the whole cart. */
    minimumQuantity: z.int().nullable(),
    firstOrderOnly: z.boolean(),
  }),
  limits: z.object({
    /** The most redemptions of all users together. */
    total: z.int().nullable(),
    perUser: z.int().nullable(),
    /** The most that all redemptions together may take off, in minor units. */
    budget: z.int().nullable(),
  }),
  /** A campaign with a lower priority applies first. */
  priority: z.int(),
  /** Whether the campaign can apply together with others. An exclusive campaign applies alone, or not at all. */
  combination: engagementHttp.combination,
  /** When the campaign was first activated. */
  activatedAt: z.date().nullable(),
  /** When staff ended the campaign. */
  endedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Campaign = StateOf<typeof campaign>;

export type CampaignStatus = engagementHttp.CampaignStatus;

/** A campaign with a start, so that it can be evaluated. */
export interface CampaignRules extends Omit<Campaign, 'conditions'> {
  readonly conditions: Omit<Campaign['conditions'], 'startsAt'> & { readonly startsAt: Date };
}

/** The usage of a campaign: the sum of its held and confirmed redemptions. */
export const campaignUsage = z.object({
  redemptions: z.int(),
  /** The discounts in minor units. */
  amount: z.int(),
  /** Whether the campaign was ever redeemed, also where all redemptions were given back since. */
  ever: z.boolean(),
});
export type CampaignUsage = StateOf<typeof campaignUsage>;

/** Returns the rules with which a campaign is evaluated; null where the campaign is a draft without a start. */
export function rulesOf(campaign: Campaign): CampaignRules | null {
  const { conditions } = campaign;
  const { startsAt } = conditions;
  return startsAt === null ? null : { ...campaign, conditions: { ...conditions, startsAt } };
}

/**
 * Returns the status now. The clock of another instance may be ahead. Where that instance has activated the campaign,
 * the campaign counts as activated here too.
 */
export function statusOf(campaign: Campaign, now: Date): CampaignStatus {
  const rules = rulesOf(campaign);
  return rules === null ? 'draft' : statusAt(rules, notBefore(now, campaign.activatedAt));
}

/**
 * Returns the status at a time. A campaign after its end is `ended`, also where it is paused; a draft stays a draft.
 */
export function statusAt(
  { stage, conditions }: Pick<CampaignRules, 'stage' | 'conditions'>,
  now: Date,
): CampaignStatus {
  if (stage === 'draft' || stage === 'ended') return stage;
  if (conditions.endsAt !== null && now.getTime() >= conditions.endsAt.getTime()) return 'ended';
  if (stage === 'paused') return 'paused';
  return now.getTime() < conditions.startsAt.getTime() ? 'scheduled' : 'active';
}

/** Returns the later of the two times. */
export function notBefore(now: Date, known: Date | null): Date {
  return known !== null && known > now ? known : now;
}

/** Compares campaigns in the order in which they apply, for `sort`: by priority, then by id. */
export function byPriority(
  a: Pick<CampaignRules, 'id' | 'priority'>,
  b: Pick<CampaignRules, 'id' | 'priority'>,
): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : Number(a.id > b.id));
}
