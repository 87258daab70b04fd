import { notFound } from '@storefront/contracts';
import type { engagementOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { CampaignReads } from '../../campaigns/store/campaigns.ts';
import { performanceOf, performanceTime } from '../domain/performance.ts';
import type { CampaignPerformance } from '../store/campaign-performance.ts';

interface Needs {
  readonly campaigns: CampaignReads;
  readonly campaignPerformance: CampaignPerformance;
  readonly databaseNow: () => Date;
}

/** Administrators read what a campaign brought. */
export function campaignPerformanceHandlers({
  campaigns,
  campaignPerformance,
  databaseNow,
}: Needs): Pick<Handlers<typeof engagementOperations>, 'getCampaignPerformance'> {
  return {
    async getCampaignPerformance({ params: { id }, query }) {
      const { from, to } = performanceTime(query, databaseNow());
      const campaign = await campaigns.load(id);
      if (!campaign) throw notFound('campaign');
      const rows = await campaignPerformance.rows(id, { from, to }, query.interval);
      return {
        campaignId: id,
        from: from.toISOString(),
        to: to.toISOString(),
        interval: query.interval,
        ...performanceOf(rows, campaign.state.currency),
      };
    },
  };
}
