import { notFound, withFacts, type Actor, type engagementHttp } from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/audit.ts';
import { changeCampaign as decide } from '../domain/campaigns/campaign.ts';
import type { Campaigns, CampaignWithUsage } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly databaseNow: () => Date;
}

/**
 * Changes fields of a campaign. `expect` throws where the client has seen another version. Throws `campaign_active`,
 * `campaign_not_in_state`, and `validation_failed` for what can't be true together with what is stored.
 */
export async function changeCampaign(
  { campaigns, databaseNow }: Needs,
  change: {
    readonly id: string;
    readonly input: engagementHttp.CampaignChange;
    readonly actor: Actor;
    readonly expect: (version: number) => void;
  },
): Promise<CampaignWithUsage> {
  const { id, input, actor, expect } = change;
  const saved = await campaigns.change(id, ({ state, version, usage }) => {
    expect(version);
    const decision = decide(state, input, { now: databaseNow(), usage });
    const fields = Object.keys(input).join(', ');
    return withFacts(decision, auditOfCampaign('campaign-changed', decision.result, actor, { fields }));
  });
  if (!saved) throw notFound('campaign');
  return saved;
}
