import { fact, identityEvents, toEvent } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';
import type { Broadcast, Bus } from '@storefront/messaging';

export interface FakeBus {
  readonly bus: Bus;
  bind(): void;
  lose(): void;
  revoke(userId: string, tokenVersion: number, sessionId?: string | null): void;
  /** Everything revoked until `at` has been published. */
  watermark(at?: Date): void;
  /** Sends a watermark at once and then every 100 ms. */
  keepFresh(): void;
  stopFreshness(): void;
}

/** A bus whose binding and timing the test controls. It has only what a gateway uses. */
export function createFakeBus(): FakeBus {
  let listener: Broadcast | undefined;
  let timer: NodeJS.Timeout | undefined;
  const publish = (fact: Fact) => listener?.handle(toEvent(fact, { sequence: 1, time: new Date() }));
  const fake: FakeBus = {
    bus: {
      async broadcast(broadcast: Broadcast) {
        listener = broadcast;
        broadcast.onBound?.();
      },
      async close() {
        clearInterval(timer);
      },
    } as unknown as Bus,
    bind: () => listener?.onBound?.(),
    lose: () => listener?.onLost?.(),
    revoke: (userId, tokenVersion, sessionId = null) =>
      publish(fact(identityEvents.tokensRevoked, userId, { tokenVersion, sessionId, reason: 'logout' })),
    watermark: (at = new Date()) =>
      publish(fact(identityEvents.revocationsPublished, 'identity', { upTo: at.toISOString() })),
    keepFresh() {
      fake.watermark();
      timer = setInterval(() => fake.watermark(), 100);
    },
    stopFreshness: () => clearInterval(timer),
  };
  return fake;
}
