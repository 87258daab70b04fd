import type { engagementHttp, engagementOperations } from '@storefront/contracts';
import { openEventStream, type Handlers } from '@storefront/http';
import { currentPosition, followNotifications, type FollowedNotification } from '../commands/follow-notifications.ts';
import { readerOf } from '../domain/notification.ts';
import { formatPosition, parsePosition } from '../domain/stream-position.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { NotificationStreams } from '../live/open-streams.ts';
import type { Notifications } from '../store/notifications.ts';
import { showNotification } from './notifications.ts';

interface Needs {
  readonly notifications: Notifications;
  readonly changes: NotificationChanges;
  readonly streams: NotificationStreams;
  readonly now: () => Date;
}

/**
 * The route of a user's stream of notifications. A stream begins after the event that the client names in
 * `Last-Event-ID`, or in the query. Otherwise it begins with the notifications that come from now on.
 */
export function streamHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, 'streamNotifications'> {
  const { notifications, streams, now } = needs;
  return {
    async streamNotifications(request, reply) {
      const reader = readerOf(request.caller);
      const ended = new AbortController();
      const leave = streams.open(reader.userId, () => ended.abort());
      try {
        const lastEventId = request.headers['last-event-id'] ?? request.query.lastEventId;
        const resumed = typeof lastEventId === 'string' ? parsePosition(lastEventId) : null;
        const from = resumed ?? (await currentPosition(needs, reader, now()));

        const stream = openEventStream(request, reply, ended);
        const send = (event: engagementHttp.NotificationStreamEvent) => stream.send(event);
        // Also sent before the first notification, so that a client which has got none misses none when it connects again.
        let id = formatPosition(from);
        const show = async (fresh: readonly FollowedNotification[]) => {
          for (const { notification, position } of fresh) {
            id = formatPosition(position);
            await send({ event: 'notification', id, data: showNotification(notification) });
          }
          await send({ event: 'unread-count', id, data: { unreadCount: await notifications.countUnread(reader) } });
        };
        followNotifications(needs, reader, from, show, ended.signal)
          .catch((error: unknown) => request.log.warn({ err: error }, 'a stream ended early; its client resumes it'))
          .finally(() => {
            leave();
            stream.close();
          });
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
