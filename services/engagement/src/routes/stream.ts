import { fastifySSE } from '@fastify/sse';
import type { SSEMessage } from '@fastify/sse';
import { callerOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import { z } from 'zod';
import { readerOf } from '../domain/notification.ts';
import { readPosition, startAt, writePosition } from '../domain/stream-position.ts';
import { follow, positionOfNow } from '../live/follow.ts';
import type { Hub } from '../live/hub.ts';
import type { Streams } from '../live/streams.ts';
import type { Notifications } from '../store/notifications.ts';
import { showNotification } from './show.ts';

// Often enough that nothing between takes the connection for dead.
const heartbeatInterval = 15_000;
const reconnectAfterMs = 1000;

export function streamRoutes(
  app: App,
  parts: { notifications: Notifications; hub: Hub; streams: Streams; now: () => Date },
): void {
  const { notifications, streams } = parts;
  app.register(async (scope: App) => {
    await fastifySSE(scope, { heartbeatInterval });
    scope.get(
      '/v1/notifications/stream',
      {
        sse: 'only',
        config: { access: 'user' },
        schema: {
          tags: ['notifications'],
          summary: 'New notifications as they come (server-sent events)',
          description:
            'Events: `notification` with a notification as its data, and `unread-count` with `{"unreadCount"}`. Send the id of the last event as `Last-Event-ID` to go on from there. A stream ends with its session, and after 15 minutes at the latest: connect again.',
          operationId: 'streamNotifications',
          headers: z.object({ 'last-event-id': z.string().optional() }),
          response: { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } },
        },
      },
      async (request, reply) => {
        const reader = readerOf(callerOf(request));
        const ended = new AbortController();
        const leave = streams.open(reader.userId, () => ended.abort());
        const { sse } = reply;
        try {
          const resumed = sse.lastEventId === null ? null : readPosition(sse.lastEventId);
          const from = resumed ?? (await positionOfNow(notifications, reader, startAt(parts.now())));

          // From here on the answer is the stream's own: no time limit of the server's applies.
          void reply.header('x-request-id', request.id);
          sse.keepAlive();
          sse.onClose(() => ended.abort());
          sse.sendHeaders();
          reply.hijack();
          reply.raw.write(`retry: ${reconnectAfterMs}\n\n`);
          const isOver = new Promise<void>((resolve) => {
            ended.signal.addEventListener('abort', () => resolve(), { once: true });
          });
          // A client that stops reading never takes the next event: then only the end of the stream ends the wait.
          const send = (message: SSEMessage) =>
            ended.signal.aborted ? isOver : Promise.race([sse.send(message), isOver]);
          follow(
            parts,
            reader,
            from,
            async (fresh) => {
              for (const { item, position } of fresh)
                await send({ event: 'notification', id: writePosition(position), data: showNotification(item) });
              await send({ event: 'unread-count', data: { unreadCount: await notifications.countUnread(reader) } });
            },
            ended.signal,
          )
            .catch((error: unknown) => request.log.warn({ err: error }, 'a stream ended early; its client resumes it'))
            .finally(() => {
              leave();
              sse.close();
            });
        } catch (error) {
          leave();
          throw error;
        }
      },
    );
  });
}
