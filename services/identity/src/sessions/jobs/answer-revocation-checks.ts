import { setTimeout as wait } from 'node:timers/promises';
import { fact, gatewayEvents, identityEvents, toEvent, type Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import { createWaitingChecks } from '../domain/revocation-checks.ts';
import type { RevocationStore } from '../store/revocations.ts';

const { revocationCheckRequested } = gatewayEvents;

const leastMs = 100;
const publishMs = 1000;

/**
 * Answers the checks of gateways. An answer says that all revocations acknowledged before the check was sent have been
 * published. For this, the job reads the revocations that wait in an outbox, in the first read that begins after the
 * check has arrived. When all of these are published, the check is answered. All waiting checks share one read, at most
 * ten times a second and one at a time. The job waits at most a second for the confirmation of an answer.
 */
export async function answerRevocationChecks(parts: {
  readonly bus: Bus;
  readonly revocations: Pick<RevocationStore, 'unpublished'>;
  readonly now: () => Date;
  readonly logger: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { bus, revocations, now, logger } = parts;
  const waiting = createWaitingChecks();
  let underWay: Promise<void> | null = null;
  let next: NodeJS.Timeout | undefined;
  let answeredAt = -Infinity;
  let stopped = false;
  let isFailing = false;

  await bus.broadcast({
    name: 'identity.revocation-checks',
    types: [revocationCheckRequested.type],
    handle: onCheckRequested,
  });

  function onCheckRequested(event: Event): void {
    const { success, data } = revocationCheckRequested.data.safeParse(event.data);
    if (!success) {
      logger.error({ eventId: event.id }, 'the check of a gateway could not be read');
      return;
    }
    waiting.add(event.subject, data.check);
    schedule();
  }

  function schedule(): void {
    if (underWay || stopped) return;
    next ??= setTimeout(begin, Math.max(0, answeredAt + leastMs - performance.now()));
  }

  function begin(): void {
    next = undefined;
    answeredAt = performance.now();
    underWay = answer()
      .then(() => (isFailing = false), onFailure)
      .then(() => {
        underWay = null;
        if (!waiting.isEmpty()) schedule();
      });
  }

  // Logs one line for each failure, however long the failure lasts.
  function onFailure(error: unknown): void {
    if (!isFailing) logger.warn({ err: error }, 'checks of the revocations can not be answered');
    isFailing = true;
  }

  async function answer(): Promise<void> {
    if (!bus.health().canPublish) return;
    // Called before the read begins, since the read may not find revocations that are written later.
    const afterRead = waiting.beginRead();
    const checks = afterRead(await revocations.unpublished());
    if (checks.size === 0) return;
    const published = fact(identityEvents.revocationsPublished, 'identity', { checks: Object.fromEntries(checks) });
    const publishing = bus.publish([toEvent(published, { sequence: 0, time: now() })], { transient: true });
    await Promise.race([publishing, wait(publishMs, undefined, { ref: false })]);
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(next);
      await underWay;
    },
  };
}
