import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { recordEnds, type CampaignNeeds } from '../commands/campaigns.ts';
import type { PerformStep } from '../commands/redemptions.ts';
import type { Redemptions } from '../store/redemptions.ts';

interface Job {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Looks every 2 s for campaigns whose end has come. */
export function watchEnds(needs: CampaignNeeds & { readonly logger: Logger }): Job {
  const failure = 'recording the ends of campaigns failed';
  return repeatEvery(2000, () => recordEnds(needs), { logger: needs.logger, failure });
}

const holdsAtOnce = 500;

/**
 * Each second gives back what was held until a time that has passed. Every instance does so: what another instance gave back, or what
 * was confirmed meanwhile, stays as it is.
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
