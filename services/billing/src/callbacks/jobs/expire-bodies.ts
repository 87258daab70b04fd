import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { CallbackBodies } from '../store/callback-bodies.ts';

const everyMs = 15_000;

/** Removes the bodies of callbacks once they have expired. Every instance does so; a second time changes nothing. */
export function expireBodies({
  callbackBodies,
  logger,
  now,
}: {
  readonly callbackBodies: CallbackBodies;
  readonly logger: Logger;
  readonly now: () => Date;
}): { stop(): Promise<void> } {
  return repeatEvery(everyMs, () => callbackBodies.removeExpired(now()), {
    logger,
    failure: 'bodies of callbacks could not be removed; it is tried again',
  });
}
