import { z } from 'zod';
import { engagementErrors } from '../../errors/engagement.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { notificationType } from './channels.ts';

export const notification = z
  .object({
    id: idSchema('ntf'),
    type: z.string().meta({ description: 'What kind of notification it is.', examples: ['trade-account-approved'] }),
    title: z.string().meta({ examples: ['Your trade account is approved'] }),
    body: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'For programs: what the notification is about, such as ids to link to.' }),
    readAt: timestamp.nullable().meta({ description: 'When it was marked as read; null while it is unread.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Notification' });
export type NotificationBody = z.infer<typeof notification>;

export const notificationQuery = z.strictObject({
  ...pageQuery,
  status: z
    .enum(['all', 'unread', 'read'])
    .default('all')
    .meta({ description: 'Only those that are unread, or read.', examples: ['unread'] }),
  type: notificationType.optional().meta({ description: 'Only those of this type.' }),
});

const unreadCount = z.int().meta({ description: 'How many notifications of the caller are unread.' });

export const notificationPage = page(notification).extend({ unreadCount }).meta({ id: 'NotificationPage' });

export const notificationParams = z.object({ id: idSchema('ntf') });

const lastEventId = z.string().optional();
const examples = ['mi8b3k2c.7ps.4be1d90'];

export const streamHeaders = z.object({
  'last-event-id': lastEventId.meta({ description: 'The id of the last event that the client received.', examples }),
});

export const streamQuery = z.strictObject({
  lastEventId: lastEventId.meta({
    description: 'In place of `Last-Event-ID`, for a new `EventSource`. The header counts where both are sent.',
    examples,
  }),
});

export const allRead = z
  .object({ updated: z.int().meta({ description: 'How many were unread before.' }), unreadCount })
  .meta({ id: 'AllRead' });

const eventId = z
  .string()
  .meta({ description: 'The `Last-Event-ID` of a client that has got this event and all before it.', examples });

/** The events of the stream. */
export const notificationStreamEvent = z
  .discriminatedUnion('event', [
    z
      .object({
        event: z.literal('notification'),
        id: eventId,
        data: notification,
      })
      .meta({ id: 'NotificationEvent', description: 'A new notification.' }),
    z
      .object({
        event: z.literal('unread-count'),
        id: eventId,
        data: z.object({ unreadCount }).meta({ id: 'UnreadCount' }),
      })
      .meta({ id: 'UnreadCountEvent', description: 'How many notifications are unread from now on.' }),
  ])
  .meta({
    id: 'NotificationStreamEvent',
    description: 'One event of the stream: the lines `event`, `id` and `data`. The line `data` is JSON.',
  });
export type NotificationStreamEvent = z.infer<typeof notificationStreamEvent>;

const tags = ['notifications'];

export const notificationOperations = operationsOf(
  operation({
    id: 'listNotifications',
    method: 'GET',
    path: '/v1/notifications',
    access: 'user',
    tags,
    summary: 'List notifications',
    description: 'The in-app notifications of the caller, newest first.',
    query: notificationQuery,
    responses: { 200: notificationPage },
  }),
  operation({
    id: 'streamNotifications',
    method: 'GET',
    path: '/v1/notifications/stream',
    access: 'user',
    stream: true,
    ticket: true,
    tags,
    summary: 'Receive new notifications as they come',
    description:
      'Server-sent events: `notification` with a notification as its data, and `unread-count` with ' +
      '`{"unreadCount"}`. Send the id of the last event as `Last-Event-ID` to continue from there. A stream ends ' +
      'with its session, and after 15 minutes at the latest: connect again. The `EventSource` of a browser sends no ' +
      'access token: give it the `ticket` of `POST /v1/notifications/stream-tickets` in the query. A ticket works once, ' +
      'so an `EventSource` that connects again by itself gets 401 and stops: open another one with a new ticket and ' +
      '`lastEventId`.',
    headers: streamHeaders,
    query: streamQuery,
    responses: {
      200: {
        description: 'The stream of events. The schema is that of each event.',
        contentType: 'text/event-stream',
        event: notificationStreamEvent,
      },
    },
    errors: [engagementErrors.tooManyStreams, engagementErrors.closing],
  }),
  operation({
    id: 'readNotification',
    method: 'POST',
    path: '/v1/notifications/{id}/read',
    access: 'user',
    tags,
    summary: 'Mark a notification as read',
    description: 'Also succeeds where it is read already.',
    params: notificationParams,
    responses: { 200: notification },
  }),
  operation({
    id: 'unreadNotification',
    method: 'POST',
    path: '/v1/notifications/{id}/unread',
    access: 'user',
    tags,
    summary: 'Mark a notification as unread',
    description: 'Also succeeds where it is unread already.',
    params: notificationParams,
    responses: { 200: notification },
  }),
  operation({
    id: 'readAllNotifications',
    method: 'POST',
    path: '/v1/notifications/read-all',
    access: 'user',
    tags,
    summary: 'Mark all notifications as read',
    description: 'Answers how many were unread.',
    responses: { 200: allRead },
  }),
  operation({
    id: 'deleteNotification',
    method: 'DELETE',
    path: '/v1/notifications/{id}',
    access: 'user',
    tags,
    summary: 'Delete a notification',
    description: 'A notification for a whole role is deleted from the list of the caller only.',
    params: notificationParams,
    responses: { 204: null },
  }),
);
