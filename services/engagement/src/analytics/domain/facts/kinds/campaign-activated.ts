import { engagementEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ campaignId: z.string() });

/** An administrator activated a campaign. It is nobody's, and no report counts it. */
export const campaignActivated: FactKind<'campaign-activated', z.infer<typeof data>> = {
  name: 'campaign-activated',
  data,
  tellers: [
    toldBy(engagementEvents.campaignActivated, ({ subject, time }) => ({
      at: new Date(time),
      segment: 'guest',
      by: null,
      data: { campaignId: subject },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
