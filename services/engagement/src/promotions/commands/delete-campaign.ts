import { notFound, withFacts, type Actor } from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/audit.ts';
import { deleteCampaign as decide } from '../domain/campaigns/campaign.ts';
import type { Campaigns } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly databaseNow: () => Date;
}

/** Deletes a campaign with its codes. `expect` throws where the client has seen another version. Throws `campaign_redeemed`. */
export async function deleteCampaign(
  { campaigns, databaseNow }: Needs,
  { id, actor, expect }: { readonly id: string; readonly actor: Actor; readonly expect: (version: number) => void },
): Promise<void> {
  const found = await campaigns.change(id, ({ state, version, usage }) => {
    expect(version);
    return withFacts(decide(state, databaseNow(), usage), auditOfCampaign('campaign-deleted', state, actor));
  });
  if (!found) throw notFound('campaign');
}
