import type { engagementHttp } from '@storefront/contracts';
import type { Notification } from '../domain/notification.ts';

/** A notification as its reader sees it. */
export function showNotification({ id, type, title, body, data, readAt, createdAt }: Notification) {
  return {
    id,
    type,
    title,
    body,
    data,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  } satisfies engagementHttp.NotificationBody;
}
