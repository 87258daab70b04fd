import { fact, identityEvents, toEvent } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Relay } from '@storefront/mongo';
import type { Logger } from 'pino';

const everyMs = 300;

/**
 * Publishes several times a second up to which time all revocations have been published: a gateway that gets no such event
 * knows that it may have missed revocations. One at a time: when the broker or the database is slow, none pile up.
 */
export function publishWatermark({
  bus,
  relay,
  now,
  logger,
}: {
  readonly bus: Bus;
  readonly relay: Pick<Relay, 'oldestPending'>;
  readonly now: () => Date;
  readonly logger: Logger;
}): { stop(): Promise<void> } {
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (!bus.health().connected) return;
    underWay ??= publish()
      .catch((error: unknown) => logger.debug({ err: error }, 'no watermark this time'))
      .finally(() => (underWay = null));
  }, everyMs);

  async function publish(): Promise<void> {
    // Before the read: nothing is known about what is written after it.
    const readAt = now();
    const pending = await relay.oldestPending(identityEvents.tokensRevoked.type);
    const upTo = pending && pending < readAt ? pending : readAt;
    const watermark = fact(identityEvents.revocationsPublished, 'identity', { upTo: upTo.toISOString() });
    await bus.publish([toEvent(watermark, { sequence: 0, time: readAt })], { transient: true });
  }

  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
