import { engagementEvents, fact, toEvent } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Audience } from '../domain/notification.ts';

/** Tells the open streams of all instances which audiences have new or changed notifications. */
export interface NotificationChanges {
  /** Publishes, in one message, that the notifications of these audiences have changed. */
  publish(audiences: readonly Audience[]): void;
  /** Calls `listener` at each change for one of the audiences, until the returned function is called. */
  subscribe(audiences: readonly Audience[], listener: () => void): () => void;
  /** Begins to receive the changes that other instances publish. */
  connect(): Promise<void>;
}

export function createNotificationChanges(
  bus: Pick<Bus, 'publish' | 'broadcast'>,
  now: () => Date,
): NotificationChanges {
  const listeners = new Map<Audience, Set<() => void>>();

  function callListeners(audience: Audience): void {
    for (const listener of listeners.get(audience) ?? []) listener();
  }

  return {
    publish(audiences) {
      const [first, ...others] = audiences;
      if (first === undefined) return;
      for (const audience of audiences) callListeners(audience);
      const changed = fact(engagementEvents.notificationsChanged, first, { audiences: others });
      // If this message gets lost, the streams of other instances find the change within 5 s, at their next regular
      // read.
      bus.publish([toEvent(changed, { sequence: 0, time: now() })], { transient: true }).catch(() => undefined);
    },

    subscribe(audiences, listener) {
      for (const audience of audiences) {
        const present = listeners.get(audience) ?? new Set();
        listeners.set(audience, present.add(listener));
      }
      return () => {
        for (const audience of audiences) {
          const present = listeners.get(audience);
          present?.delete(listener);
          if (present?.size === 0) listeners.delete(audience);
        }
      };
    },

    connect: () =>
      bus.broadcast({
        name: 'engagement.notifications-changed',
        types: [engagementEvents.notificationsChanged.type],
        handle(event) {
          const { audiences } = engagementEvents.notificationsChanged.data.parse(event.data);
          for (const audience of [event.subject, ...audiences]) callListeners(audience);
        },
      }),
  };
}
