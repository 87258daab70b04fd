import { engagementEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ campaignId: z.string() });

/** A campaign is over for good. It is nobody's, and no report counts it. */
export const campaignEnded: FactKind<'campaign-ended', z.infer<typeof data>> = {
  name: 'campaign-ended',
  data,
  tellers: [
    toldBy(engagementEvents.campaignEnded, ({ subject, data: { endedAt } }) => ({
      at: new Date(endedAt),
      segment: 'guest',
      by: null,
      data: { campaignId: subject },
    })),
  ],
  countsOf: () => [],
  setsOf: () => [],
};
