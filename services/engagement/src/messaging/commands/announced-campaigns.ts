import { statusOf } from '../../promotions/domain/campaign.ts';
import type { CampaignStatus } from '../../promotions/domain/rules.ts';
import type { CampaignReads } from '../../promotions/store/campaigns.ts';
import type { Announcement } from '../domain/announcement.ts';

/** What an announcement has to know of its campaign. */
interface AnnouncedCampaign {
  readonly status: CampaignStatus;
  readonly segment: Announcement['segment'];
}

export interface AnnouncedCampaigns {
  /** The campaign as it is now; null where there is none. */
  load(campaignId: string): Promise<AnnouncedCampaign | null>;
}

/** `databaseNow` decides which status a campaign has. */
export function announcedCampaigns({
  campaigns,
  databaseNow,
}: {
  readonly campaigns: Pick<CampaignReads, 'load'>;
  readonly databaseNow: () => Date;
}): AnnouncedCampaigns {
  return {
    async load(campaignId) {
      const found = await campaigns.load(campaignId);
      if (found === null) return null;
      return { status: statusOf(found.state, databaseNow()), segment: found.state.conditions.segment };
    },
  };
}
