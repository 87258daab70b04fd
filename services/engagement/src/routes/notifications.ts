import { engagementHttp } from '@storefront/contracts';
import { callerOf, notFound, toPage } from '@storefront/service-kit';
import type { App, Cursors } from '@storefront/service-kit';
import { z } from 'zod';
import { readerOf } from '../domain/notification.ts';
import type { Reader } from '../domain/notification.ts';
import type { Hub } from '../live/hub.ts';
import type { Notifications } from '../store/notifications.ts';
import { showNotification } from './show.ts';

const tags = ['notifications'];

export function notificationRoutes(
  app: App,
  { notifications, hub, cursors, now }: { notifications: Notifications; hub: Hub; cursors: Cursors; now: () => Date },
): void {
  app.get(
    '/v1/notifications',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's notifications, newest first",
        operationId: 'listNotifications',
        querystring: engagementHttp.notificationQuery,
        response: { 200: engagementHttp.notificationPage },
      },
    },
    async (request) => {
      const reader = readerOf(callerOf(request));
      const { limit, cursor, status, type } = request.query;
      const position = cursors.read('notifications', reader.userId, cursor);
      const [found, unreadCount] = await Promise.all([
        notifications.list(reader, { status, type }, position, limit + 1),
        notifications.countUnread(reader),
      ]);
      const page = toPage(found, limit, showNotification, (last) =>
        cursors.write('notifications', reader.userId, [last.createdAt.getTime(), last.id]),
      );
      return { ...page, unreadCount };
    },
  );

  async function mark(reader: Reader, id: string, readAt: Date | null) {
    const marked = await notifications.mark(reader, id, readAt);
    if (marked === null) throw notFound('notification');
    hub.changed(reader.userId);
    return showNotification(marked);
  }

  app.post(
    '/v1/notifications/:id/read',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Marks a notification as read',
        operationId: 'readNotification',
        params: engagementHttp.notificationParams,
        response: { 200: engagementHttp.notification },
      },
    },
    (request) => mark(readerOf(callerOf(request)), request.params.id, now()),
  );

  app.post(
    '/v1/notifications/:id/unread',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Marks a notification as unread again',
        operationId: 'unreadNotification',
        params: engagementHttp.notificationParams,
        response: { 200: engagementHttp.notification },
      },
    },
    (request) => mark(readerOf(callerOf(request)), request.params.id, null),
  );

  app.post(
    '/v1/notifications/read-all',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Marks all notifications as read',
        operationId: 'readAllNotifications',
        response: { 200: engagementHttp.allRead },
      },
    },
    async (request) => {
      const reader = readerOf(callerOf(request));
      const updated = await notifications.markAll(reader, now());
      hub.changed(reader.userId);
      return { updated, unreadCount: await notifications.countUnread(reader) };
    },
  );

  app.delete(
    '/v1/notifications/:id',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Deletes a notification from the list of the caller',
        operationId: 'deleteNotification',
        params: engagementHttp.notificationParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const reader = readerOf(callerOf(request));
      if (!(await notifications.delete(reader, request.params.id))) throw notFound('notification');
      hub.changed(reader.userId);
      return reply.code(204).send(null);
    },
  );
}
