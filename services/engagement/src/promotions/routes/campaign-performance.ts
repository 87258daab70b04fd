import { notFound, type engagementOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { CampaignReads } from '../store/campaigns.ts';
import { performanceOf, performanceTime } from '../domain/performance.ts';
import type { CampaignDays } from '../store/campaign-days.ts';

interface Needs {
  readonly campaigns: CampaignReads;
  readonly campaignDays: Pick<CampaignDays, 'between'>;
  readonly databaseNow: () => Date;
}

/** The route for staff to read the results of a campaign. */
export function campaignPerformanceHandlers({
  campaigns,
  campaignDays,
  databaseNow,
}: Needs): Pick<Handlers<typeof engagementOperations>, 'getCampaignPerformance'> {
  return {
    async getCampaignPerformance({ params: { id }, query }) {
      const time = performanceTime(query, databaseNow());
      const campaign = await campaigns.load(id);
      if (!campaign) throw notFound('campaign');
      const { interval } = query;
      const days = await campaignDays.between(id, time);
      return {
        campaignId: id,
        ...time,
        interval,
        ...performanceOf(days, { ...time, interval }, campaign.state.currency),
      };
    },
  };
}
