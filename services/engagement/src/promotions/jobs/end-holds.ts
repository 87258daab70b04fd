import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { PerformStep } from '../commands/perform-step.ts';
import type { Redemptions } from '../store/redemptions.ts';

const everyMs = 1000;
const atOnce = 500;

/**
 * Gives back each second what was held for a time that is over. Every instance does so: what another one gave back, or what was
 * confirmed meanwhile, stays as it is. `stop` waits for what is under way.
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
}): { stop(): Promise<void> } {
  async function endAll(): Promise<void> {
    const ids = await redemptions.heldBefore(databaseNow(), atOnce);
    await Promise.all(ids.map((id) => perform({ kind: 'end-hold', id })));
  }

  return repeatEvery(everyMs, endAll, { logger, failure: 'holds could not be ended; it is tried again' });
}
