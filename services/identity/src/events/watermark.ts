import { fact, identityEvents, toEvent } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Relay } from '@storefront/outbox';
import type { Logger } from 'pino';

const everyMs = 300;

/**
 * Tells the gateways several times a second up to when every revocation has been published, so that one that hears
 * nothing knows that it may have missed some. One at a time: when broker or database are slow, none pile up.
 */
export function publishWatermarks(given: {
  bus: Bus;
  relay: Pick<Relay, 'oldestPending'>;
  now: () => Date;
  logger: Logger;
}): { stop(): Promise<void> } {
  const { bus, relay, now, logger } = given;
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (!bus.health().connected) return;
    underWay ??= publish()
      .catch((error: unknown) => logger.debug({ err: error }, 'no watermark this time'))
      .finally(() => (underWay = null));
  }, everyMs);

  async function publish(): Promise<void> {
    // Taken before the look: what is written after it is not vouched for.
    const asked = now();
    const pending = await relay.oldestPending(identityEvents.tokensRevoked.type);
    const upTo = pending && pending < asked ? pending : asked;
    const told = fact(identityEvents.revocationsPublished, 'identity', { upTo: upTo.toISOString() });
    await bus.publish([toEvent(told, { sequence: 0, time: asked })], { transient: true });
  }

  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
