import { audiencesOf, type Notification, type Reader } from '../domain/notification.ts';
import { advance, isNew, positionAt, type StreamPosition } from '../domain/stream-position.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

interface Needs {
  readonly notifications: Pick<Notifications, 'since'>;
  readonly changes: Pick<NotificationChanges, 'subscribe'>;
}

export interface FollowedNotification {
  readonly notification: Notification;
  /** The position of a client that has seen this notification and all before it. */
  readonly position: StreamPosition;
}

// The message about a change is not stored and can get lost. So notifications are read at least this often.
const maxWaitMs = 5000;

/**
 * Calls `show` with the reader's new notifications since the last call, oldest first, until the signal aborts. A change
 * is shown at once, or within 5 s where the message about it got lost. The list is empty where only read marks changed,
 * and may be empty at the first call. Rejects where a read or `show` fails.
 */
export async function followNotifications(
  { notifications, changes }: Needs,
  reader: Reader,
  from: StreamPosition,
  show: (fresh: readonly FollowedNotification[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let position = from;
  // True, so that the first read calls `show` in any case.
  let hasChanged = true;
  let stopWaiting: () => void = () => undefined;
  const look = () => {
    hasChanged = true;
    stopWaiting();
  };
  const unsubscribe = changes.subscribe(audiencesOf(reader), look);
  signal.addEventListener('abort', look, { once: true });
  try {
    while (!signal.aborted) {
      const mustShow = hasChanged;
      hasChanged = false;
      const fresh: FollowedNotification[] = [];
      for (const notification of await notifications.since(reader, new Date(position.from))) {
        if (!isNew(position, notification)) continue;
        position = advance(position, notification);
        fresh.push({ notification, position });
      }
      if (fresh.length > 0 || mustShow) await show(fresh);
      if (!hasChanged) await waitForChange();
    }
  } finally {
    unsubscribe();
  }

  function waitForChange(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxWaitMs);
      stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Returns the position of a client that sees only notifications that become visible from now on. */
export async function currentPosition(
  { notifications }: Pick<Needs, 'notifications'>,
  reader: Reader,
  now: Date,
): Promise<StreamPosition> {
  const start = positionAt(now);
  return (await notifications.since(reader, new Date(start.from))).reduce(advance, start);
}
