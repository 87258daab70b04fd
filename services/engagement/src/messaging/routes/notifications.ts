import type { engagementHttp, engagementOperations } from '@storefront/contracts';
import type { Cursors, Handlers } from '@storefront/http';
import { deleteNotification, markAllRead, markNotification } from '../commands/notifications.ts';
import { readerOf, type Notification } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

interface Needs {
  readonly notifications: Notifications;
  readonly changes: NotificationChanges;
  readonly cursors: Cursors;
  readonly now: () => Date;
}

/** The routes for users to list, mark and delete their own notifications. */
export function notificationHandlers(
  needs: Needs,
): Pick<
  Handlers<typeof engagementOperations>,
  'listNotifications' | 'readNotification' | 'unreadNotification' | 'readAllNotifications' | 'deleteNotification'
> {
  const { notifications, cursors } = needs;
  return {
    async listNotifications({ caller, query }) {
      const reader = readerOf(caller);
      const [page, unreadCount] = await Promise.all([
        cursors.page(
          { list: 'notifications', owner: reader.userId, query },
          (slice) => notifications.list(reader, query, slice),
          showNotification,
        ),
        notifications.countUnread(reader),
      ]);
      return { ...page, unreadCount };
    },

    readNotification: async ({ caller, params }) =>
      showNotification(await markNotification(needs, readerOf(caller), params.id, needs.now())),

    unreadNotification: async ({ caller, params }) =>
      showNotification(await markNotification(needs, readerOf(caller), params.id, null)),

    readAllNotifications: ({ caller }) => markAllRead(needs, readerOf(caller)),

    async deleteNotification({ caller, params }) {
      await deleteNotification(needs, readerOf(caller), params.id);
      return null;
    },
  };
}

/** Shows a notification to its reader. */
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
