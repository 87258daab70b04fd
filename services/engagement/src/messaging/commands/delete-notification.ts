import { notFound } from '@storefront/contracts';
import type { Reader } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

interface Needs {
  readonly notifications: Pick<Notifications, 'delete'>;
  readonly changes: Pick<NotificationChanges, 'publish'>;
}

/** Deletes a notification from the reader's list. Throws 404 where the reader has none such. */
export async function deleteNotification({ notifications, changes }: Needs, reader: Reader, id: string): Promise<void> {
  if (!(await notifications.delete(reader, id))) throw notFound('notification');
  changes.publish([reader.userId]);
}
