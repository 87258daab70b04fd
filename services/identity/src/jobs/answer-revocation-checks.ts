import { setTimeout as wait } from 'node:timers/promises';
import { fact, gatewayEvents, identityEvents, toEvent } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import { createWaitingChecks } from '../domain/revocation-checks.ts';
import type { RevocationStore } from '../store/revocations.ts';

const { revocationCheckRequested } = gatewayEvents;

const leastMs = 100;
// Gateways of an earlier version send no checks, and want to hear three times a second.
const unaskedEveryMs = 300;
const answerMs = 1000;

/**
 * Answers the checks of gateways: publishes that everything revoked before them has been published, once no revocation waits in an
 * outbox. The read begins after the checks have arrived, so it finds every revocation that was acknowledged before they were
 * sent. All checks that wait share one answer, at most ten times a second. An answer that takes longer than a second is not
 * waited for: the next one is worked on beside it, until database and bus give the former up.
 */
export async function answerRevocationChecks(parts: {
  readonly bus: Bus;
  readonly revocations: Pick<RevocationStore, 'hasUnpublished'>;
  readonly now: () => Date;
  readonly logger: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { bus, revocations, now, logger } = parts;
  const waiting = createWaitingChecks();
  let underWay: Promise<void> | null = null;
  let next: NodeJS.Timeout | undefined;
  let answeredAt = -Infinity;
  let stopped = false;
  let isInTrouble = false;

  await bus.broadcast({
    name: 'identity.revocation-checks',
    types: [revocationCheckRequested.type],
    handle: onCheckRequested,
  });
  const unasked = setInterval(schedule, unaskedEveryMs);

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
    const answering = answer().then(() => (isInTrouble = false), onTrouble);
    const ended = Promise.race([answering, wait(answerMs, undefined, { ref: false })]);
    underWay = ended.then(() => {
      underWay = null;
      if (!waiting.isEmpty()) schedule();
    });
  }

  // One line for each trouble, not ten a second.
  function onTrouble(error: unknown): void {
    if (!isInTrouble) logger.warn({ err: error }, 'checks of the revocations can not be answered');
    isInTrouble = true;
  }

  async function answer(): Promise<void> {
    if (!bus.health().canPublish) return;
    const checks = waiting.take();
    // Before the read: nothing is known about what is written after it.
    const readAt = now();
    let isPublished = false;
    try {
      isPublished = !(await revocations.hasUnpublished());
    } finally {
      if (!isPublished) for (const [gateway, check] of checks) waiting.add(gateway, check);
    }
    if (!isPublished) return;
    const data = { upTo: readAt.toISOString(), checks: Object.fromEntries(checks) };
    const published = fact(identityEvents.revocationsPublished, 'identity', data);
    await bus.publish([toEvent(published, { sequence: 0, time: readAt })], { transient: true });
  }

  return {
    async stop() {
      stopped = true;
      clearInterval(unasked);
      clearTimeout(next);
      await underWay;
    },
  };
}
