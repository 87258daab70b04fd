import { recordEnd } from '../domain/campaigns/campaign.ts';
import type { Campaigns } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly databaseNow: () => Date;
}

const atOnce = 100;

/**
 * Records the ends of campaigns that have come, each with its event. Every instance does so: the one whose change is committed
 * first publishes the event, and the others leave the campaign unchanged.
 */
export async function recordEnds({ campaigns, databaseNow }: Needs): Promise<void> {
  for (const id of await campaigns.overdue(databaseNow(), atOnce))
    await campaigns.change(id, ({ state }) => recordEnd(state, databaseNow()));
}
