import type { Repository } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { WorkOffCallback } from '../commands/work-off-callbacks.ts';
import type { Callback } from '../domain/callback.ts';

const everyMs = 15_000;
const leftForMs = 60_000;
const atOnce = 100;

/**
 * Does the work of callbacks that were left undone for a minute, such as one whose event became a dead letter. Every instance does so:
 * what another one did stays as it is. `stop` waits for what is under way.
 */
export function redoCallbacks({
  callbacks,
  workOffCallback,
  logger,
  now,
}: {
  readonly callbacks: Pick<Repository<Callback>, 'find'>;
  readonly workOffCallback: WorkOffCallback;
  readonly logger: Logger;
  readonly now: () => Date;
}): { stop(): Promise<void> } {
  async function redo(): Promise<void> {
    const before = new Date(now().getTime() - leftForMs);
    const left = await callbacks.find(
      { outcome: 'received', receivedAt: { $lt: before } },
      { fields: ['receivedAt'], order: { receivedAt: -1, _id: -1 }, limit: atOnce, hint: 'by_outcome' },
    );
    const results = await Promise.allSettled(left.map(({ state }) => workOffCallback(state.id)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return repeatEvery(everyMs, redo, { logger, failure: 'callbacks could not be worked off; it is tried again' });
}
