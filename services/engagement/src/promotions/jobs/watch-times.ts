import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { recordEnds, type CampaignNeeds } from '../commands/campaigns.ts';
import type { PerformStep } from '../commands/redemptions.ts';
import type { Redemptions } from '../store/redemptions.ts';

interface Job {
  /** Stops the job, and waits for the work under way. */
  stop(): Promise<void>;
}

/** Searches every 2 s for campaigns that have reached their end. */
export function watchEnds(needs: CampaignNeeds & { readonly logger: Logger }): Job {
  const failure = 'recording the ends of campaigns failed';
  return repeatEvery(2000, () => recordEnds(needs), { logger: needs.logger, failure });
}

const holdsAtOnce = 500;

/**
 * Each second, gives back redemptions whose hold has ended. Every instance does this. Redemptions that another instance
 * gave back, or that were confirmed meanwhile, do not change.
 */
export function endHolds({
  redemptions,
  perform,
  databaseNow,
  logger,
}: {
  readonly redemptions: Pick<Redemptions, 'heldBefore'>;
  readonly perform: PerformStep;
  readonly databaseNow: () => Date;
  readonly logger: Logger;
}): Job {
  async function endAll(): Promise<void> {
    const ids = await redemptions.heldBefore(databaseNow(), holdsAtOnce);
    await Promise.all(ids.map((id) => perform({ kind: 'end-hold', id })));
  }

  return repeatEvery(1000, endAll, { logger, failure: 'holds could not be ended; it is tried again' });
}
