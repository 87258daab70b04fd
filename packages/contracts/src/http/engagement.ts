import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { emailAddress, line, page, pageQuery, text, timestamp } from './common.ts';

export const channel = z.enum(['IN_APP', 'EMAIL', 'SMS', 'PUSH']);
export type Channel = z.infer<typeof channel>;

/** What a message is about; preferences are kept for each. */
export const category = z.enum(['security', 'account', 'orders', 'wishlist', 'marketing']);
export type Category = z.infer<typeof category>;

const type = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+([.-][a-z0-9]+)*$/, { error: 'must be lower-case words joined by - or .' })
  .meta({ description: 'What kind of notification it is.', examples: ['trade-account-approved'] });

export const notification = z
  .object({
    id: z.string(),
    type: z.string(),
    title: z.string(),
    body: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'For programs: what the notification is about, such as ids to link to.' }),
    readAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Notification' });
export type NotificationBody = z.infer<typeof notification>;

export const notificationQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(['all', 'unread', 'read']).default('all'),
  type: type.optional(),
});

export const notificationPage = page(notification).extend({ unreadCount: z.int() }).meta({ id: 'NotificationPage' });

export const notificationParams = z.object({ id: idSchema('ntf') });

export const allRead = z
  .object({ updated: z.int().meta({ description: 'How many were unread before.' }), unreadCount: z.int() })
  .meta({ id: 'AllRead' });

const channels = z.strictObject({ IN_APP: z.boolean(), EMAIL: z.boolean(), SMS: z.boolean(), PUSH: z.boolean() });
const changedChannels = channels.partial();
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 22:00' });

/** Whether the text names a time zone of the IANA database, such as `Europe/Amsterdam`. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

const quietHours = z.strictObject({
  start: time.meta({ examples: ['22:00'] }),
  end: time.meta({ examples: ['07:00'] }),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, { error: 'must be an IANA time zone' })
    .meta({ examples: ['Europe/Amsterdam'] }),
});

export const notificationPreferencesChange = z
  .strictObject({
    types: z
      .strictObject({
        security: changedChannels.optional(),
        account: changedChannels.optional(),
        orders: changedChannels.optional(),
        wishlist: changedChannels.optional(),
        marketing: changedChannels.optional(),
      })
      .default({}),
    quietHours: quietHours.nullable().default(null),
  })
  .meta({
    id: 'NotificationPreferencesChange',
    description: 'Replaces all preferences: what is left out is on, and there are no quiet hours without `quietHours`.',
  });

const shownChannels = z.object({ IN_APP: z.boolean(), EMAIL: z.boolean(), SMS: z.boolean(), PUSH: z.boolean() });

export const notificationPreferences = z
  .object({
    types: z.object({
      security: shownChannels,
      account: shownChannels,
      orders: shownChannels,
      wishlist: shownChannels,
      marketing: shownChannels,
    }),
    quietHours: z.object({ start: z.string(), end: z.string(), timeZone: z.string() }).nullable(),
  })
  .meta({ id: 'NotificationPreferences' });

// No dots and dollars, which databases read as paths and operators.
const fieldName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, { error: 'must be a plain name' });

export const notificationToSend = z
  .strictObject({
    channel,
    userId: idSchema('user').optional(),
    email: emailAddress.optional(),
    category: category.default('account'),
    type: type.default('message'),
    title: line(200).optional().meta({ description: 'What an in-app notification is headed with.' }),
    body: text(5000).optional(),
    data: z
      .record(fieldName, z.union([text(2000, 0), z.number(), z.boolean(), z.null()]))
      .refine((fields) => Object.keys(fields).length <= 50, { error: 'must not have more than 50 fields' })
      .default({}),
    subject: line(200).optional().meta({ description: 'Of a mail; its title, where none is given.' }),
    html: text(200_000).optional(),
    text: text(100_000).optional().meta({ description: 'Of a mail; made out of `html` where none is given.' }),
  })
  .meta({ id: 'NotificationToSend' });

export const deliveryStatus = z.enum([
  'pending',
  'delivered',
  'failed',
  'expired',
  'superseded',
  'suppressed',
  'recorded',
]);

export const notificationAccepted = z
  .object({
    id: z.string().meta({ description: 'Of the delivery: `GET /v1/notifications/deliveries/{id}` follows it.' }),
    status: deliveryStatus,
    reason: z.string().nullable(),
    notificationId: z.string().nullable(),
  })
  .meta({ id: 'NotificationAccepted' });

export const delivery = z
  .object({
    id: z.string(),
    channel,
    category,
    template: z.string(),
    userId: z.string().nullable(),
    email: z.string().nullable(),
    status: deliveryStatus,
    reason: z.string().nullable(),
    messageId: z.string().nullable(),
    attemptCount: z.int(),
    attempts: z
      .array(
        z.object({
          at: timestamp,
          outcome: z.enum(['accepted', 'deferred', 'refused', 'unreachable']),
          answer: z.string().meta({ description: 'What the mail server said.' }),
          milliseconds: z.int(),
        }),
      )
      .meta({ description: 'The last ones.' }),
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    deliveredAt: timestamp.nullable(),
  })
  .meta({ id: 'Delivery' });
export type DeliveryBody = z.infer<typeof delivery>;

export const deliveryQuery = z.strictObject({
  ...pageQuery,
  status: deliveryStatus.optional(),
  channel: channel.optional(),
  userId: idSchema('user').optional(),
});
export const deliveryPage = page(delivery).meta({ id: 'DeliveryPage' });
export const deliveryParams = z.object({ id: idSchema('dlv') });
