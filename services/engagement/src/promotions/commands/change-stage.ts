import { notFound, withFacts, type Actor } from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/audit.ts';
import { activateCampaign, endCampaign, pauseCampaign } from '../domain/campaigns/campaign.ts';
import type { Campaigns, CampaignWithUsage } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly databaseNow: () => Date;
}

const decisions = {
  'campaign-activated': activateCampaign,
  'campaign-paused': pauseCampaign,
  'campaign-ended': endCampaign,
} as const;

/**
 * Activates, pauses or ends a campaign. `expect` throws where the client has seen another version. Throws
 * `campaign_not_in_state`.
 */
export async function changeStage(
  { campaigns, databaseNow }: Needs,
  action: keyof typeof decisions,
  { id, actor, expect }: { readonly id: string; readonly actor: Actor; readonly expect: (version: number) => void },
): Promise<CampaignWithUsage> {
  const decide = decisions[action];
  const saved = await campaigns.change(id, ({ state, version }) => {
    expect(version);
    return withFacts(decide(state, databaseNow()), auditOfCampaign(action, state, actor));
  });
  if (!saved) throw notFound('campaign');
  return saved;
}
