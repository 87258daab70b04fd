import { changed, notFound, type Actor } from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/audit.ts';
import type { CampaignCodes } from '../store/campaign-codes.ts';
import type { Campaigns } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly campaignCodes: CampaignCodes;
  readonly databaseNow: () => Date;
}

/** Ends a code of a campaign; one that has ended stays as it is. */
export async function endCode(
  { campaigns, campaignCodes, databaseNow }: Needs,
  { campaignId, code, actor }: { readonly campaignId: string; readonly code: string; readonly actor: Actor },
): Promise<void> {
  const campaign = await campaigns.load(campaignId);
  if (!campaign) throw notFound('campaign');
  const ended = auditOfCampaign('code-ended', campaign.state, actor, { code });
  const exists = await campaignCodes.end({ id: code, campaignId }, databaseNow(), (list) => changed(list, [ended]));
  if (!exists) throw notFound('code');
}
