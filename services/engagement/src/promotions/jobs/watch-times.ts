import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { recordEnds, type CampaignNeeds } from '../commands/campaigns.ts';
import type { PerformStep } from '../commands/redemptions.ts';
import type { Redemptions } from '../store/redemptions.ts';

interface Job {
  /** Stops the job, and waits for the work under way. */
  stop(): Promise<void>;
}

/** Searches every 2 s for campaigns that have reached their end, or every 6 s where the last search found none. */
export function watchEnds(needs: CampaignNeeds & { readonly logger: Logger }): Job {
  const failure = 'recording the ends of campaigns failed';
  const search = async () => ((await recordEnds(needs)) === 0 ? 'idle' : undefined);
  return repeatEvery(2000, search, { logger: needs.logger, failure, idleTurns: 3 });
}

const holdsAtOnce = 500;

/**
 * Each second, or every 5 s where the last search found none, gives back redemptions whose hold has ended. Every
 * instance does this. Redemptions that another instance gave back, or that were confirmed meanwhile, do not change.
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
  async function endAll(): Promise<'idle' | void> {
    const ids = await redemptions.heldBefore(databaseNow(), holdsAtOnce);
    if (ids.length === 0) return 'idle';
    await Promise.all(ids.map((id) => perform({ kind: 'end-hold', id })));
  }

  return repeatEvery(1000, endAll, { logger, failure: 'holds could not be ended; it is tried again', idleTurns: 5 });
}
