import { after, isNew } from '../domain/stream-position.ts';
import type { StreamPosition } from '../domain/stream-position.ts';
import { audiencesOf } from '../domain/notification.ts';
import type { Notification, Reader } from '../domain/notification.ts';
import type { Notifications } from '../store/notifications.ts';
import type { Hub } from './hub.ts';

// Looks by itself this often, in case that nobody said that there is something.
const lookMs = 5000;

/**
 * Tells what becomes new for a reader, in order, until the signal aborts: at once where somebody says so, within seconds
 * otherwise. `show` gets what is new since the last call, which is nothing at first and where only read marks changed.
 */
export async function follow(
  { notifications, hub }: { notifications: Notifications; hub: Hub },
  reader: Reader,
  from: StreamPosition,
  show: (fresh: readonly { item: Notification; position: StreamPosition }[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let position = from;
  let isNudged = false;
  let wake: () => void = () => undefined;
  const nudge = () => {
    isNudged = true;
    wake();
  };
  const leave = hub.listen(audiencesOf(reader), nudge);
  signal.addEventListener('abort', nudge, { once: true });
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const wasNudged = isNudged;
      isNudged = false;
      const fresh: { item: Notification; position: StreamPosition }[] = [];
      for (const item of await notifications.since(reader, new Date(position.from))) {
        if (!isNew(position, item)) continue;
        position = after(position, item);
        fresh.push({ item, position });
      }
      if (fresh.length > 0 || wasNudged || isFirst) await show(fresh);
      if (!isNudged) await nextLook();
    }
  } finally {
    leave();
  }

  function nextLook(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The position of somebody who wants to see only what comes from now on. */
export async function positionOfNow(
  notifications: Notifications,
  reader: Reader,
  now: StreamPosition,
): Promise<StreamPosition> {
  let position = now;
  for (const item of await notifications.since(reader, new Date(now.from))) position = after(position, item);
  return position;
}
