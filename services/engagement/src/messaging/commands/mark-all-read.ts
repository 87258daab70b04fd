import type { Reader } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

interface Needs {
  readonly notifications: Pick<Notifications, 'markAllRead' | 'countUnread'>;
  readonly changes: Pick<NotificationChanges, 'publish'>;
  readonly now: () => Date;
}

/** Marks all of the reader's notifications as read. `updated` is how many were unread before. */
export async function markAllRead(
  { notifications, changes, now }: Needs,
  reader: Reader,
): Promise<{ updated: number; unreadCount: number }> {
  const updated = await notifications.markAllRead(reader, now());
  changes.publish([reader.userId]);
  return { updated, unreadCount: await notifications.countUnread(reader) };
}
