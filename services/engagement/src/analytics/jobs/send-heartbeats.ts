import { engagementEvents, fact, toEvent } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { JobHolders } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';

const everyMs = 2000;
const job = 'facts-heartbeat';

/**
 * Sends an event through the queue of facts every 2 s, on one instance at a time. When the event arrives, everything
 * published before it is stored, so the service knows up to when reports are complete. `stop` waits for the event that
 * is being sent.
 */
export function sendHeartbeats({
  bus,
  jobHolders,
  databaseNow,
  logger,
}: {
  readonly bus: Pick<Bus, 'publish'>;
  readonly jobHolders: Pick<JobHolders, 'take'>;
  readonly databaseNow: () => Date;
  readonly logger: Logger;
}): { stop(): Promise<void> } {
  async function send(): Promise<void> {
    if (!(await jobHolders.take(job))) return;
    const heartbeat = fact(engagementEvents.factsHeartbeat, 'engagement', {});
    await bus.publish([toEvent(heartbeat, { sequence: 0, time: databaseNow() })], { transient: true });
  }
  return repeatEvery(everyMs, send, { logger, failure: 'no heartbeat was sent to the queue of facts' });
}
