import { engagementEvents, fact, toEvent } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Audience } from '../domain/notification.ts';

/** Tells the open streams of all instances that there is something to look for. */
export interface Hub {
  /** The notifications of this audience are other ones now. */
  changed(audience: Audience): void;
  /** Calls `look` at each change for one of the audiences until the answer is called. */
  listen(audiences: readonly Audience[], look: () => void): () => void;
  connect(): Promise<void>;
}

export function createHub(bus: Bus, now: () => Date): Hub {
  const listeners = new Map<Audience, Set<() => void>>();

  const tell = (audience: Audience) => {
    for (const look of listeners.get(audience) ?? []) look();
  };

  return {
    changed(audience) {
      tell(audience);
      const event = toEvent(fact(engagementEvents.notificationsChanged, audience, {}), { sequence: 0, time: now() });
      // Lost, it costs the streams of other instances the seconds until they look by themselves.
      bus.publish([event], { transient: true }).catch(() => undefined);
    },

    listen(audiences, look) {
      for (const audience of audiences) {
        const present = listeners.get(audience) ?? new Set();
        listeners.set(audience, present.add(look));
      }
      return () => {
        for (const audience of audiences) {
          const present = listeners.get(audience);
          present?.delete(look);
          if (present?.size === 0) listeners.delete(audience);
        }
      };
    },

    connect: () =>
      bus.broadcast({
        name: 'engagement.notifications-changed',
        types: [engagementEvents.notificationsChanged.type],
        handle: (event) => tell(event.subject),
      }),
  };
}
