import { withFacts, type Actor, type engagementHttp } from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/audit.ts';
import { assertRoomForOneMore, createCampaign as decide } from '../domain/campaigns/campaign.ts';
import type { Campaigns, CampaignWithUsage } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  /** The shop's. */
  readonly currency: string;
  readonly databaseNow: () => Date;
}

/** Creates a draft under `id`; repeated with the same id it changes nothing. Throws `too_many_campaigns`. */
export function createCampaign(
  { campaigns, currency, databaseNow }: Needs,
  { id, input, actor }: { readonly id: string; readonly input: engagementHttp.CampaignCreation; readonly actor: Actor },
): Promise<CampaignWithUsage> {
  const { name, trigger } = input;
  const created = auditOfCampaign('campaign-created', { id, name }, actor, { trigger, discount: input.discount.type });
  const draft = () => withFacts(decide(input, { id, now: databaseNow(), currency }), created);
  return campaigns.add(id, draft, assertRoomForOneMore);
}
