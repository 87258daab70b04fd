import { defineCollection, withEvents, type DocumentOf } from '@storefront/mongo';
import { z } from 'zod';
import { messageSegments } from '../domain/segments.ts';
import { storedNotification, type Notification } from '../domain/notification.ts';

/** The order of lists. The id decides where the times are equal. */
export const newestFirst = { createdAt: -1, _id: -1 } as const;

/**
 * Notifications of users and of roles. Of a deleted notification, only the id, the category, the type and the times are
 * kept for a while.
 */
export const notifications = defineCollection(
  'notifications',
  {
    ...storedNotification.partial({ audience: true, title: true, body: true, data: true }).shape,
    /** Events about notifications of users. Notifications of a role have no events. */
    outbox: withEvents.outbox,
    unread: z.boolean().optional(),
    /** The user's segment, for statistics. */
    segment: z.enum(messageSegments).optional(),
    /** When the user first read the notification. At that time its event is recorded. */
    firstReadAt: z.date().optional(),
    /** When the database deletes the notification. Only set for deleted notifications and for those of a role. */
    keptUntil: z.date().optional(),
  },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['audience'], because: 'a user lists and counts notifications' },
        { by: ['data.tradeAccountId'], because: 'an erasure empties those about the user' },
      ],
    },
    indexes: {
      'audience_1_createdAt_-1__id_-1': { keys: { audience: 1, ...newestFirst } },
      // With this index, unread notifications are listed and counted without reading others.
      'audience_1_unread_1_createdAt_-1__id_-1': {
        keys: { audience: 1, unread: 1, ...newestFirst },
        partialFilterExpression: { unread: true },
      },
      'audience_1_type_1_createdAt_-1__id_-1': { keys: { audience: 1, type: 1, ...newestFirst } },
      keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
      'data.tradeAccountId_1': {
        keys: { 'data.tradeAccountId': 1 },
        partialFilterExpression: { 'data.tradeAccountId': { $gt: '' } },
      },
    },
  },
);
export type NotificationDocument = DocumentOf<typeof notifications>;

/** The state of a role's notification for one reader. The id is `<reader>:<notification>`. */
export const notificationMarks = defineCollection(
  'notification_marks',
  {
    reader: z.string(),
    /** Whether the notification is read or deleted. In both cases it no longer counts as unread. */
    settled: z.boolean(),
    deleted: z.boolean(),
    readAt: z.date().nullable(),
    /** When the notification was created. */
    createdAt: z.date(),
    keptUntil: z.date(),
  },
  {
    sharding: { unsharded: 'read marks of administrators' },
    indexes: {
      reader_1_settled_1_createdAt_1: { keys: { reader: 1, settled: 1, createdAt: 1 } },
      keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
    },
  },
);
export type NotificationMark = DocumentOf<typeof notificationMarks>;

/** Converts the document of a notification that is not deleted, so that no field is missing. */
export function toNotification(document: NotificationDocument): Notification {
  const { _id: id, audience, category, type, title, body, data, readAt, createdAt } = document;
  return { id, audience, category, type, title, body, data, readAt, createdAt } as Notification;
}
