import type { engagementHttp } from '@storefront/contracts';
import { statusOf, type Campaign, type CampaignUsage } from '../domain/campaigns/campaign.ts';
import { shownConditions, shownDiscount, shownLimits } from '../domain/campaigns/campaign-body.ts';
import type { RunningCampaign } from '../store/running-campaigns.ts';

export function showCampaign(campaign: Campaign, usage: CampaignUsage, now: Date): engagementHttp.CampaignBody {
  const { id, name, description, trigger, currency, discount, limits, priority, combination } = campaign;
  return {
    id,
    name,
    description,
    status: statusOf(campaign, now),
    trigger,
    currency,
    discount: shownDiscount(discount, currency),
    conditions: showConditions(campaign),
    limits: shownLimits(campaign),
    priority,
    combination,
    usage: showUsage(usage, limits, currency),
    activatedAt: campaign.activatedAt?.toISOString() ?? null,
    endedAt: campaign.endedAt?.toISOString() ?? null,
    createdAt: campaign.createdAt.toISOString(),
    updatedAt: campaign.updatedAt.toISOString(),
  };
}

export function showActiveCampaign({ rules, description }: RunningCampaign): engagementHttp.ActiveCampaignBody {
  const { id, name, discount, currency, combination } = rules;
  return {
    id,
    name,
    description,
    discount: shownDiscount(discount, currency),
    conditions: showConditions(rules),
    combination,
  };
}

function showConditions(of: Pick<Campaign, 'conditions' | 'currency'>): engagementHttp.CampaignBody['conditions'] {
  const { startsAt, endsAt, ...conditions } = shownConditions(of);
  return { ...conditions, startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null };
}

// Campaign and usage are two reads, and a limit may have been lowered between them.
function showUsage(
  { redemptions, amount }: CampaignUsage,
  { total, budget }: Campaign['limits'],
  currency: string,
): engagementHttp.CampaignBody['usage'] {
  return {
    redemptions,
    amount: { amount, currency },
    remaining: {
      redemptions: total === null ? null : Math.max(0, total - redemptions),
      budget: budget === null ? null : { amount: Math.max(0, budget - amount), currency },
    },
  };
}
