import type { engagementOperations } from '@storefront/contracts';
import type { Cursors, Handlers } from '@storefront/http';
import { deleteNotification } from '../commands/delete-notification.ts';
import { markAllRead } from '../commands/mark-all-read.ts';
import { markRead, markUnread } from '../commands/mark-read.ts';
import { readerOf } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';
import { showNotification } from './show-notification.ts';

interface Needs {
  readonly notifications: Notifications;
  readonly changes: NotificationChanges;
  readonly cursors: Cursors;
  readonly now: () => Date;
}

/** Users read, mark and delete the notifications in their own list. */
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
      showNotification(await markRead(needs, readerOf(caller), params.id)),

    unreadNotification: async ({ caller, params }) =>
      showNotification(await markUnread(needs, readerOf(caller), params.id)),

    readAllNotifications: ({ caller }) => markAllRead(needs, readerOf(caller)),

    async deleteNotification({ caller, params }) {
      await deleteNotification(needs, readerOf(caller), params.id);
      return null;
    },
  };
}
