import { fact, gatewayEvents, identityEvents, toEvent, type Event, type Fact } from '@storefront/contracts';
import type { Broadcast, Bus } from '@storefront/messaging';

export interface FakeBus {
  readonly bus: Bus;
  /** What the gateway has published. */
  readonly published: Event[];
  bind(): void;
  lose(): void;
  /** Whether the broker is there for what the gateway publishes. */
  connect(connected: boolean): void;
  /** How often the gateway has looked whether the broker is there. */
  readonly looks: () => number;
  /** Something that another part of the system has published. */
  receive(fact: Fact): void;
  revoke(userId: string, tokenVersion: number, sessionId?: string | null): void;
  /** The number of the newest check that the gateway has sent. */
  readonly newestCheck: () => number;
  /** Answers the check, as identity does; the newest one where none is given. */
  answer(checks?: Record<string, number>): void;
  /** Answers the newest check at once, and each one from now on. */
  keepFresh(): void;
  stopFreshness(): void;
}

/** A bus whose binding and timing the test controls. It has only what a gateway uses. */
export function createFakeBus(): FakeBus {
  const broadcasts: Broadcast[] = [];
  const published: Event[] = [];
  let connected = true;
  let looks = 0;
  let newest: Record<string, number> = {};
  let isAnswering = false;
  const receive = (fact: Fact) => {
    const event = toEvent(fact, { sequence: 1, time: new Date() });
    for (const { types, handle } of broadcasts) if (types.includes(fact.type)) handle(event);
  };
  const fake: FakeBus = {
    bus: {
      async broadcast(broadcast: Broadcast) {
        broadcasts.push(broadcast);
        broadcast.onBound?.();
      },
      async publish(events: readonly Event[]) {
        published.push(...events);
        for (const { type, subject, data } of events) {
          if (type !== gatewayEvents.revocationCheckRequested.type) continue;
          newest = { [subject]: gatewayEvents.revocationCheckRequested.data.parse(data).check };
          if (isAnswering) fake.answer();
        }
        return events.map(({ id }) => ({ id, confirmed: true }));
      },
      health() {
        looks += 1;
        return { kind: 'in-process', connected, canPublish: connected, queues: [] };
      },
      async close() {
        isAnswering = false;
      },
    } as unknown as Bus,
    published,
    bind: () => broadcasts.forEach(({ onBound }) => onBound?.()),
    lose: () => broadcasts.forEach(({ onLost }) => onLost?.()),
    connect: (isConnected) => void (connected = isConnected),
    looks: () => looks,
    receive,
    revoke: (userId, tokenVersion, sessionId = null) =>
      receive(fact(identityEvents.tokensRevoked, userId, { tokenVersion, sessionId, reason: 'logout' })),
    newestCheck: () => Math.max(0, ...Object.values(newest)),
    answer: (checks = newest) => receive(fact(identityEvents.revocationsPublished, 'identity', { checks })),
    keepFresh() {
      isAnswering = true;
      fake.answer();
    },
    stopFreshness: () => void (isAnswering = false),
  };
  return fake;
}
