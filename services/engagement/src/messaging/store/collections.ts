import { engagementHttp } from '@storefront/contracts';
import {
  boolean,
  date,
  defineCollection,
  mixed,
  oneOf,
  optional,
  orNull,
  text,
  withEvents,
  type DocumentOf,
} from '@storefront/mongo';
import { messageSegments } from '../domain/segments.ts';
import type { Notification } from '../domain/notification.ts';

/** The order of lists: the id decides where the time is the same. */
export const newestFirst = { createdAt: -1, _id: -1 } as const;

/**
 * Notifications of users and of roles. Of a deleted one only the id, the category, the type and the times stay for a
 * while.
 */
export const notifications = defineCollection(
  'notifications',
  {
    /** Events about notifications of users; those of a role have none. */
    outbox: withEvents.outbox,
    audience: optional(text()),
    category: oneOf(engagementHttp.category.options),
    type: text(),
    title: optional(text()),
    body: optional(text()),
    data: optional(mixed<Notification['data']>()),
    readAt: orNull(date()),
    unread: optional(boolean()),
    /** Of the user, for statistics. */
    segment: optional(oneOf(messageSegments)),
    /** When the user read it for the first time: then the event about it was recorded. */
    firstReadAt: optional(date()),
    createdAt: date(),
    /** Only of those that go by themselves: deleted ones, and those of a role. */
    keptUntil: optional(date()),
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
      // So that unread ones are listed and counted without reading anything else.
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

/** What one reader did with a notification of their role. The id is `<reader>:<notification>`. */
export const notificationMarks = defineCollection(
  'notification_marks',
  {
    reader: text(),
    /** Read or deleted: either way it no longer counts as unread. */
    settled: boolean(),
    deleted: boolean(),
    readAt: orNull(date()),
    /** When the notification was created. */
    createdAt: date(),
    keptUntil: date(),
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

/** The notification of a document that is not deleted: then no field is missing. */
export function toNotification(document: NotificationDocument): Notification {
  const { _id: id, audience, category, type, title, body, data, readAt, createdAt } = document;
  return { id, audience, category, type, title, body, data, readAt, createdAt } as Notification;
}
