import { notFound } from '@storefront/contracts';
import type { Notification, Reader } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

interface Needs {
  readonly notifications: Pick<Notifications, 'mark'>;
  readonly changes: Pick<NotificationChanges, 'publish'>;
  readonly now: () => Date;
}

/**
 * Marks a notification as read; one that is read already keeps its first time. Throws 404 where the reader has none
 * such.
 */
export function markRead(needs: Needs, reader: Reader, id: string): Promise<Notification> {
  return mark(needs, reader, id, needs.now());
}

/** Marks a notification as unread again. Throws 404 where the reader has none such. */
export function markUnread(needs: Needs, reader: Reader, id: string): Promise<Notification> {
  return mark(needs, reader, id, null);
}

async function mark({ notifications, changes }: Needs, reader: Reader, id: string, readAt: Date | null) {
  const marked = await notifications.mark(reader, id, readAt);
  if (marked === null) throw notFound('notification');
  changes.publish([reader.userId]);
  return marked;
}
