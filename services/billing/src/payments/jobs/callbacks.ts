import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { ProcessCallback } from '../commands/process-callbacks.ts';
import type { Callbacks } from '../store/callbacks.ts';

interface Needs {
  readonly callbacks: Callbacks;
  readonly logger: Logger;
  readonly now: () => Date;
}

const everyMs = 15_000;
const leftForMs = 60_000;
const atOnce = 100;

/**
 * Processes callbacks that have waited for a minute, for example because their event became a dead letter. Every
 * instance does so: a callback that another instance has processed does not change. `stop` waits for the current run.
 */
export function processLeftCallbacks({
  callbacks,
  processCallback,
  logger,
  now,
}: Needs & { readonly processCallback: ProcessCallback }): { stop(): Promise<void> } {
  async function processLeft(): Promise<void> {
    const before = new Date(now().getTime() - leftForMs);
    const left = await callbacks.find(
      { outcome: 'received', receivedAt: { $lt: before } },
      { fields: ['receivedAt'], order: { receivedAt: -1, _id: -1 }, limit: atOnce, hint: 'by_outcome' },
    );
    const results = await Promise.allSettled(left.map(({ state }) => processCallback(state.id)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return repeatEvery(everyMs, processLeft, { logger, failure: 'callbacks could not be processed; it is tried again' });
}

/** Removes the bodies of expired callbacks. Every instance does so; a second removal changes nothing. */
export function expireBodies({ callbacks, logger, now }: Needs): { stop(): Promise<void> } {
  return repeatEvery(everyMs, () => callbacks.removeExpired(now()), {
    logger,
    failure: 'bodies of callbacks could not be removed; it is tried again',
  });
}
