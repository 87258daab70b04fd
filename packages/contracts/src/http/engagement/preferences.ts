import { z } from 'zod';
import { engagementErrors } from '../../errors/engagement.ts';
import { timeZone } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

const channels = z.strictObject({ IN_APP: z.boolean(), EMAIL: z.boolean(), SMS: z.boolean(), PUSH: z.boolean() });
const changedChannels = channels
  .partial()
  .meta({ description: 'Whether messages of this category are sent on each channel.', examples: [{ EMAIL: false }] });
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 22:00' });

const quietHours = z.strictObject({
  start: time.meta({ description: 'Time of day.', examples: ['22:00'] }),
  end: time.meta({ description: 'Time of day; on the next day where it is before the start.', examples: ['07:00'] }),
  timeZone: timeZone.meta({ description: 'A name of the IANA database.', examples: ['Europe/Amsterdam'] }),
});

export const notificationPreferencesChange = z
  .strictObject({
    types: z
      .strictObject({
        security: changedChannels.optional(),
        account: changedChannels.optional(),
        orders: changedChannels.optional(),
        invoices: changedChannels.optional(),
        wishlist: changedChannels.optional(),
        marketing: changedChannels.optional(),
        offers: changedChannels.optional(),
      })
      .default({}),
    quietHours: quietHours
      .nullable()
      .default(null)
      .meta({ description: 'Mails wait until these hours are over, except those about security. null for none.' }),
  })
  .meta({
    id: 'NotificationPreferencesChange',
    description:
      'Replaces all preferences. A channel that is left out is switched on, but mail about `offers` and `marketing` is off ' +
      'unless it is switched on here; without `quietHours` there are none.',
    examples: [
      {
        types: { offers: { EMAIL: true }, wishlist: { PUSH: false } },
        quietHours: { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' },
      },
    ],
  });

const shownChannels = z.object({ IN_APP: z.boolean(), EMAIL: z.boolean(), SMS: z.boolean(), PUSH: z.boolean() });

export const notificationPreferences = z
  .object({
    types: z.object({
      security: shownChannels,
      account: shownChannels,
      orders: shownChannels,
      invoices: shownChannels,
      wishlist: shownChannels,
      marketing: shownChannels,
      offers: shownChannels,
    }),
    quietHours: z.object({ start: z.string(), end: z.string(), timeZone: z.string() }).nullable(),
  })
  .meta({ id: 'NotificationPreferences' });

const tags = ['notifications'];

export const preferenceOperations = operationsOf(
  operation({
    id: 'getNotificationPreferences',
    method: 'GET',
    path: '/v1/notifications/preferences',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Read notification preferences',
    description: 'Which messages the caller gets on which channel, and the quiet hours.',
    responses: { 200: notificationPreferences },
  }),
  operation({
    id: 'replaceNotificationPreferences',
    method: 'PUT',
    path: '/v1/notifications/preferences',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Replace notification preferences',
    description: 'Messages about security stay on in the app and by mail, and those about invoices by mail.',
    body: notificationPreferencesChange,
    responses: { 200: notificationPreferences },
    errors: [engagementErrors.securityMessagesRequired, engagementErrors.invoiceMailsRequired],
  }),
);
