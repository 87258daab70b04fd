import type { engagementHttp, engagementOperations } from '@storefront/contracts';
import type { Cursors, Handlers } from '@storefront/http';
import type { Campaign, Campaigns } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly cursors: Cursors;
}

/** Administrators see the campaigns. */
export function campaignHandlers({
  campaigns,
  cursors,
}: Needs): Pick<Handlers<typeof engagementOperations>, 'listCampaigns'> {
  return {
    listCampaigns({ query }) {
      return cursors.page({ list: 'campaigns', owner: '', query }, (slice) => campaigns.list(slice), showCampaign);
    },
  };
}

function showCampaign({ id, name, status, createdAt, updatedAt }: Campaign): engagementHttp.CampaignBody {
  return { id, name, status, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
