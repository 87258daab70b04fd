import { isDeepStrictEqual } from 'node:util';
import {
  audited,
  changed,
  deleted,
  engagementErrors,
  engagementEvents,
  engagementFields,
  fact,
  invalidFields,
  unchanged,
  type Actor,
  type AuditAction,
  type AuditDetails,
  type Decision,
  type engagementHttp,
  type Fact,
  type FieldError,
} from '@storefront/contracts';
import { conditionsBody, discountBody, limitsBody, noConditions, storedRules } from './campaign-body.ts';
import { currencyOf, faultsOf } from './faults.ts';
import { statusOf, type Campaign, type CampaignUsage } from './rules.ts';

type CampaignDecision = Decision<Campaign, Campaign>;

/** The most campaigns that have not ended, so that an instance can keep all running ones in memory. */
const maxUnended = 2000;

/** Throws `too_many_campaigns` where there are already 2,000 campaigns that have not ended. */
export function assertRoomForOneMore(unended: number): void {
  if (unended >= maxUnended) throw engagementErrors.tooManyCampaigns();
}

/** Creates a draft. `currency` is the shop's currency. `input` must have been validated before. */
export function createCampaign(
  input: engagementHttp.CampaignCreation,
  { id, now, currency }: { readonly id: string; readonly now: Date; readonly currency: string },
): CampaignDecision {
  const campaign: Campaign = {
    ...input,
    ...storedRules({ ...input, conditions: { ...noConditions, ...input.conditions } }),
    id,
    currency: currencyOf(input) ?? currency,
    stage: 'draft',
    activatedAt: null,
    endedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return changed(campaign, []);
}

/**
 * Changes fields of a campaign; does nothing where all values stay equal. Throws `campaign_not_in_state` after the
 * campaign's end, `campaign_active` for fields that can't change after the activation, and `validation_failed` with
 * every field whose value is not possible.
 */
export function changeCampaign(
  campaign: Campaign,
  input: engagementHttp.CampaignChange,
  { now, usage }: { readonly now: Date; readonly usage: CampaignUsage },
): CampaignDecision {
  const status = statusOf(campaign, now);
  if (status === 'ended') throw engagementErrors.campaignNotInState(status);
  const { next, faults } = merged(campaign, input);
  if (campaign.stage !== 'draft') {
    const frozen = changedFrozenFields(campaign, next);
    if (frozen.length > 0)
      throw engagementErrors.campaignActive().with({ fields: frozen.map(engagementFields.cantChange) });
    faults.push(...faultsOfPresent(campaign, next, { now, usage }));
  }
  if (faults.length > 0) throw invalidFields(faults);
  return isDeepStrictEqual(next, campaign) ? unchanged(campaign) : changed({ ...next, updatedAt: now }, []);
}

/** Activates a draft, or continues a paused campaign. Throws `campaign_not_in_state`. */
export function activateCampaign(campaign: Campaign, now: Date): CampaignDecision {
  const { stage, conditions } = campaign;
  if (stage === 'draft' && conditions.endsAt !== null && conditions.endsAt <= now)
    throw engagementErrors.campaignNotInState('past its end');
  const status = statusOf(campaign, now);
  if (status !== 'draft' && status !== 'paused') throw engagementErrors.campaignNotInState(status);
  const startsAt = conditions.startsAt ?? now;
  const next: Campaign = {
    ...campaign,
    stage: 'activated',
    conditions: { ...conditions, startsAt },
    activatedAt: campaign.activatedAt ?? now,
    updatedAt: now,
  };
  const activated = fact(engagementEvents.campaignActivated, campaign.id, {
    name: next.name,
    trigger: next.trigger,
    segment: conditions.segment,
    startsAt: startsAt.toISOString(),
    endsAt: conditions.endsAt?.toISOString() ?? null,
  });
  return changed(next, [activated]);
}

/** Pauses a campaign. Throws `campaign_not_in_state` where the campaign is neither scheduled nor active. */
export function pauseCampaign(campaign: Campaign, now: Date): CampaignDecision {
  const status = statusOf(campaign, now);
  if (status !== 'scheduled' && status !== 'active') throw engagementErrors.campaignNotInState(status);
  return changed({ ...campaign, stage: 'paused', updatedAt: now }, []);
}

/** Ends a campaign for ever. Throws `campaign_not_in_state` for a draft, and for a campaign that has ended. */
export function endCampaign(campaign: Campaign, now: Date): CampaignDecision {
  const status = statusOf(campaign, now);
  if (status === 'draft' || status === 'ended') throw engagementErrors.campaignNotInState(status);
  const next: Campaign = { ...campaign, stage: 'ended', endedAt: now, updatedAt: now };
  return changed(next, [endedFact(next, 'ended-by-administrator', now)]);
}

/**
 * Records that a campaign has reached its end. Does nothing where this was recorded before, or where the campaign now
 * ends later.
 */
export function recordEnd(campaign: Campaign, now: Date): CampaignDecision {
  const { endsAt } = campaign.conditions;
  if (campaign.stage === 'ended' || endsAt === null || statusOf(campaign, now) !== 'ended') return unchanged(campaign);
  return changed({ ...campaign, stage: 'ended', updatedAt: now }, [endedFact(campaign, 'end-reached', endsAt)]);
}

/** Deletes a campaign. Throws `campaign_redeemed` where the campaign was ever redeemed. */
export function deleteCampaign(campaign: Campaign, now: Date, usage: CampaignUsage): CampaignDecision {
  if (usage.ever || usage.redemptions > 0) throw engagementErrors.campaignRedeemed();
  const isUnderWay = campaign.stage === 'activated' || campaign.stage === 'paused';
  return deleted(isUnderWay ? [endedFact(campaign, 'ended-by-administrator', now)] : [], campaign);
}

function endedFact({ id, name }: Campaign, reason: 'ended-by-administrator' | 'end-reached', endedAt: Date): Fact {
  return fact(engagementEvents.campaignEnded, id, { name, reason, endedAt: endedAt.toISOString() });
}

/** Returns the campaign with the change, and the faults of its fields. */
function merged(
  campaign: Campaign,
  input: engagementHttp.CampaignChange,
): { readonly next: Campaign; readonly faults: FieldError[] } {
  const given = {
    discount: input.discount ?? discountBody(campaign.discount, campaign.currency),
    conditions: { ...conditionsBody(campaign), ...input.conditions },
    limits: { ...limitsBody(campaign), ...input.limits },
  };
  const currency = currencyAfter(campaign, input);
  const next: Campaign = { ...campaign, ...input, ...storedRules(given), currency };
  return { next, faults: faultsOf(given, currency) };
}

/**
 * Returns the currency of the campaign after a change. After the activation the currency stays the same. In a draft,
 * the amounts that do not change decide it; where there are none, the new amounts do.
 */
function currencyAfter(campaign: Campaign, { discount, conditions, limits }: engagementHttp.CampaignChange): string {
  if (campaign.stage !== 'draft') return campaign.currency;
  const staying = currencyOf({
    discount: discount ? undefined : discountBody(campaign.discount, campaign.currency),
    conditions: conditions?.minimumSubtotal === undefined ? conditionsBody(campaign) : undefined,
    limits: limits?.budget === undefined ? limitsBody(campaign) : undefined,
  });
  return staying ?? currencyOf({ discount, conditions, limits }) ?? campaign.currency;
}

/**
 * `free` fields may change after the activation, `frozen` ones may not. `fixed` fields can't be changed by any request.
 */
type Changeability = 'free' | 'frozen' | 'fixed';

const changeability: Record<Exclude<keyof Campaign, 'conditions' | 'limits'>, Changeability> & {
  readonly conditions: Record<keyof Campaign['conditions'], Changeability>;
  readonly limits: Record<keyof Campaign['limits'], Changeability>;
} = {
  id: 'fixed',
  name: 'free',
  description: 'free',
  trigger: 'fixed',
  currency: 'fixed',
  stage: 'fixed',
  discount: 'frozen',
  combination: 'frozen',
  conditions: {
    segment: 'frozen',
    startsAt: 'frozen',
    endsAt: 'free',
    minimumSubtotal: 'frozen',
    minimumQuantity: 'frozen',
    firstOrderOnly: 'frozen',
  },
  limits: { total: 'free', perUser: 'free', budget: 'free' },
  priority: 'free',
  activatedAt: 'fixed',
  endedAt: 'fixed',
  createdAt: 'fixed',
  updatedAt: 'fixed',
};

/** Returns the pointers to the frozen fields that differ between `before` and `after`. */
function changedFrozenFields(before: Campaign, after: Campaign): string[] {
  return [
    ...changedFrozen(changeability, before, after),
    ...changedFrozen(changeability.conditions, before.conditions, after.conditions, '/conditions'),
    ...changedFrozen(changeability.limits, before.limits, after.limits, '/limits'),
  ];
}

function changedFrozen<Fields extends object>(
  changeabilities: { readonly [Field in keyof Fields]: Changeability | object },
  before: Fields,
  after: Fields,
  parent = '',
): string[] {
  return Object.keys(changeabilities)
    .filter((field): field is keyof Fields & string => field in before)
    .filter((field) => changeabilities[field] === 'frozen' && !isDeepStrictEqual(before[field], after[field]))
    .map((field) => `${parent}/${field}`);
}

/**
 * Returns the faults of a campaign that was activated: an end in the past, or a limit below the present usage. A limit
 * that orders have exceeded may stay as it is.
 */
function faultsOfPresent(
  before: Campaign,
  { conditions: { endsAt }, limits: { total, perUser, budget } }: Campaign,
  { now, usage }: { readonly now: Date; readonly usage: CampaignUsage },
): FieldError[] {
  const formerly = before.limits.perUser;
  const isLower = perUser !== null && (formerly === null || perUser < formerly);
  return [
    ...(endsAt !== null && endsAt <= now ? [engagementFields.endInThePast()] : []),
    ...(total !== null && total !== before.limits.total && total < usage.redemptions
      ? [engagementFields.belowUsage('/limits/total', usage.redemptions)]
      : []),
    ...(isLower && perUser < usage.redemptions ? [engagementFields.perUserBelowUsage(usage.redemptions)] : []),
    ...(budget !== null && budget !== before.limits.budget && budget < usage.amount
      ? [engagementFields.belowUsage('/limits/budget/amount', usage.amount)]
      : []),
  ];
}

type CampaignAction = Extract<AuditAction, `campaign-${string}` | 'codes-added' | 'code-ended'>;

/** Returns the audit entry about an action of staff on a campaign. */
export function auditOfCampaign(
  action: CampaignAction,
  { id, name }: Pick<Campaign, 'id' | 'name'>,
  actor: Actor,
  details: AuditDetails = {},
): Fact {
  return audited('engagement', actor, action, { object: { type: 'campaign', id }, details: { name, ...details } });
}
