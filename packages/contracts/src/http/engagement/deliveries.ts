import { z } from 'zod';
import { engagementErrors } from '../../errors/engagement.ts';
import { idSchema } from '../../ids.ts';
import { emailAddress, line, page, pageQuery, shownEmail, text, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { category, channel, notificationType } from './channels.ts';

// Field names must not contain dots or dollar signs, because databases read these as paths and operators.
const fieldName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, { error: 'must be a plain name' });

// Mail programs cut off mails of more than 100,000 characters. The limit of tags and entities makes sure that making a
// mail takes less than 50 ms.
const maxMarkup = 6000;
/** The HTML of a mail that staff wrote. */
export const mailHtml = text(100_000).refine((html) => (html.match(/[<>&]/g)?.length ?? 0) <= maxMarkup, {
  error: `must not hold the signs <, > and & more than ${maxMarkup} times`,
});

export const notificationToSend = z
  .strictObject({
    channel: channel.meta({ description: 'SMS and PUSH are recorded only: nothing is connected to them.' }),
    userId: idSchema('user')
      .optional()
      .meta({ description: 'Who gets it; required for a notification in the app, and for mail that users opt in to.' }),
    email: emailAddress.optional().meta({ description: 'Where it goes; required for a mail.' }),
    category: category.default('account').meta({ description: 'What it is about; the preferences of the user apply.' }),
    type: notificationType.default('message'),
    title: line(200)
      .optional()
      .meta({ description: 'The title; required for a notification in the app.', examples: ['We moved'] }),
    body: text(5000)
      .optional()
      .meta({ description: 'The text of an in-app notification.', examples: ['Our new shop is at Keizersgracht 1.'] }),
    data: z
      .record(fieldName, z.union([text(2000, 0), z.number(), z.boolean(), z.null()]))
      .refine((fields) => Object.keys(fields).length <= 50, { error: 'must not have more than 50 fields' })
      .default({})
      .meta({
        description: 'For programs: up to 50 fields of an in-app notification.',
        examples: [{ page: 'contact' }],
      }),
    subject: line(200)
      .optional()
      .meta({ description: 'The subject of a mail; `title` where it is left out.', examples: ['We moved'] }),
    html: mailHtml.optional().meta({
      description: `The mail as HTML; a mail needs it or \`text\`. The signs \`<\`, \`>\` and \`&\` may be in it ${maxMarkup} times.`,
      examples: ['<p>We moved.</p>'],
    }),
    text: text(100_000)
      .optional()
      .meta({
        description: 'The mail as plain text. Made from `html` where it is left out; alone, it is sent as it is.',
        examples: ['We moved.'],
      }),
  })
  .meta({
    id: 'NotificationToSend',
    examples: [
      {
        channel: 'IN_APP',
        userId: 'user_01h455vb4pex5vsknk084sn02q',
        title: 'We moved',
        body: 'Our new shop is at Keizersgracht 1.',
      },
      { channel: 'EMAIL', email: 'ada@example.com', subject: 'We moved', html: '<p>We moved.</p>' },
    ],
  });

export const deliveryStatus = z.enum([
  'pending',
  'delivered',
  'failed',
  'expired',
  'superseded',
  'suppressed',
  'recorded',
]);

const reason = z
  .string()
  .nullable()
  .meta({
    description:
      'Why it has this status, as a code; null where nothing is to be said. `in_doubt`: three attempts ended without ' +
      'anybody knowing whether the mail server has the mail; a retry is one more, and may give the mail again.',
    examples: ['refused'],
  });

export const notificationAccepted = z
  .object({
    id: idSchema('dlv').meta({ description: 'The id of the delivery: `GET /v1/notifications/deliveries/{id}`.' }),
    status: deliveryStatus,
    reason,
    notificationId: z
      .string()
      .nullable()
      .meta({ description: 'The id of the in-app notification, where there is one.' }),
  })
  .meta({ id: 'NotificationAccepted' });

export const delivery = z
  .object({
    id: idSchema('dlv'),
    channel,
    category,
    template: z.string().meta({ description: 'Which message it is.', examples: ['welcome'] }),
    userId: z.string().nullable(),
    email: shownEmail.nullable(),
    status: deliveryStatus,
    reason,
    messageId: z.string().nullable().meta({ description: 'The `Message-ID` of the mail.' }),
    attemptCount: z.int(),
    attempts: z
      .array(
        z.object({
          at: timestamp,
          outcome: z.enum(['accepted', 'deferred', 'refused', 'unreachable', 'interrupted', 'in_doubt']).meta({
            description:
              '`interrupted`: the conversation broke off before the end of the mail. `in_doubt`: it broke off after ' +
              'that, or its sender was lost, so nobody knows whether the mail server has the mail.',
          }),
          answer: z.string().meta({ description: 'The answer of the mail server.', examples: ['250 2.0.0 Ok'] }),
          milliseconds: z.int(),
        }),
      )
      .meta({ description: 'The last attempts.' }),
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    deliveredAt: timestamp.nullable(),
  })
  .meta({ id: 'Delivery', description: 'One message for one channel, without its text.' });
export type DeliveryBody = z.infer<typeof delivery>;

export const deliveryMail = z
  .object({
    content: z
      .object({
        subject: z.string(),
        text: z.string(),
        html: z.string().meta({ description: 'Show it where no script of it runs.' }),
      })
      .nullable()
      .meta({
        description:
          'Written again from what is kept of it, as it was or would be sent. Codes and links that prove who reads them are dots. ' +
          'null where nothing is kept: of a mail that was delivered, but of an announcement, and of other channels.',
      }),
  })
  .meta({ id: 'DeliveryMail' });

export const deliveryQuery = z.strictObject({
  ...pageQuery,
  status: deliveryStatus.optional().meta({ description: 'Only those of this status.', examples: ['failed'] }),
  channel: channel.optional().meta({ description: 'Only those of this channel.', examples: ['EMAIL'] }),
  userId: idSchema('user').optional().meta({ description: 'Only those to this user.' }),
  email: emailAddress.optional().meta({ description: 'Only mails to this address.' }),
});
export const deliveryPage = page(delivery).meta({ id: 'DeliveryPage' });
export const deliveryParams = z.object({ id: idSchema('dlv') });

const tags = ['notifications'];

export const deliveryOperations = operationsOf(
  operation({
    id: 'sendNotification',
    method: 'POST',
    path: '/v1/notifications',
    access: 'admin',
    scope: 'notifications:write',
    idempotent: true,
    tags,
    summary: 'Send a message to one person',
    description:
      'A mail needs `email`, and `html` or `text`; a notification in the app needs `userId` and `title`. Where one of ' +
      'them is missing the answer is 400, with the code `email_missing`, `html_missing`, `user_missing` or ' +
      '`title_missing` at the field. A message that the user has switched off (`switched_off_by_user`), or whose ' +
      'channel is not connected (`channel_not_connected`), is only recorded; `reason` says so.',
    body: notificationToSend,
    responses: { 202: notificationAccepted },
  }),
  operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/v1/notifications/deliveries',
    access: 'staff',
    roles: ['support'],
    scope: 'notifications:read',
    tags,
    summary: 'List deliveries',
    description: 'Newest first.',
    query: deliveryQuery,
    responses: { 200: deliveryPage },
  }),
  operation({
    id: 'getDelivery',
    method: 'GET',
    path: '/v1/notifications/deliveries/{id}',
    access: 'staff',
    roles: ['support'],
    scope: 'notifications:read',
    tags,
    summary: 'Read a delivery with its attempts',
    description: 'The text of the message is not part of it.',
    params: deliveryParams,
    responses: { 200: delivery },
  }),
  operation({
    id: 'getDeliveryMail',
    method: 'GET',
    path: '/v1/notifications/deliveries/{id}/mail',
    access: 'staff',
    roles: ['support'],
    scope: 'notifications:read',
    tags,
    summary: 'Read the mail of a delivery',
    description:
      'Its subject and text, as long as they are kept: until it is delivered or ends, and those of an announcement longer. ' +
      'Attachments are not part of it.',
    params: deliveryParams,
    responses: { 200: deliveryMail },
  }),
  operation({
    id: 'retryDelivery',
    method: 'POST',
    path: '/v1/notifications/deliveries/{id}/retry',
    access: 'staff',
    roles: ['support'],
    scope: 'notifications:write',
    idempotent: true,
    tags,
    summary: 'Retry a failed or suppressed delivery',
    description: 'Also removes the address from the list of addresses that get no mail.',
    params: deliveryParams,
    responses: { 200: delivery },
    errors: [engagementErrors.deliveryNotRetryable],
  }),
);
