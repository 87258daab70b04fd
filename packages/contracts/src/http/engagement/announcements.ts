import { z } from 'zod';
import { engagementErrors } from '../../errors/engagement.ts';
import { idSchema } from '../../ids.ts';
import { line, page, pageQuery, text, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { campaignParams } from './campaigns.ts';
import { mailHtml } from './deliveries.ts';

export const announcementChannel = z.enum(['IN_APP', 'EMAIL']);

export const announcementToSend = z
  .strictObject({
    channels: z
      .array(announcementChannel)
      .min(1)
      .refine((channels) => new Set(channels).size === channels.length, { error: 'must not name a channel twice' })
      .meta({ examples: [['IN_APP', 'EMAIL']] }),
    title: line(200).meta({ examples: ['Teapots in spring'] }),
    body: text(5000).meta({
      description: 'The text in the app, and of the mail without `html`.',
      examples: ['A tenth off all teapots.'],
    }),
    html: mailHtml.optional().meta({ description: 'The mail as HTML.', examples: ['<p>A tenth off all teapots.</p>'] }),
    subject: line(200).optional().meta({ description: 'Of the mail; `title` where it is left out.' }),
  })
  .meta({
    id: 'AnnouncementToSend',
    examples: [{ channels: ['IN_APP', 'EMAIL'], title: 'Teapots in spring', body: 'A tenth off all teapots.' }],
  });
export type AnnouncementToSend = z.output<typeof announcementToSend>;

export const announcementStatus = z.enum(['running', 'finished', 'stopped']);

export const announcement = z
  .object({
    id: idSchema('anc'),
    campaignId: idSchema('camp'),
    status: announcementStatus,
    channels: z.array(announcementChannel),
    title: z.string(),
    body: z.string(),
    subject: z.string().nullable(),
    recipients: z.int().meta({ description: 'The people of the segment for whom it was decided so far.' }),
    sent: z.int().meta({ description: 'Messages that were shown in the app or taken by the mail server.' }),
    skipped: z
      .object({
        no_consent: z.int().meta({ description: 'The person does not want offers by that channel.' }),
        address_bounced: z.int().meta({ description: 'The mail server said that there is no such mailbox.' }),
        announcement_stopped: z.int().meta({ description: 'It was stopped before.' }),
        recipient_erased: z.int().meta({ description: 'The person erased the account before.' }),
      })
      .meta({ description: 'Messages that were not sent, by the reason.' }),
    failed: z.int().meta({
      description: 'Mails that the mail server refused, or about which it is unknown whether the mail server has them.',
    }),
    startedAt: timestamp,
    finishedAt: timestamp.nullable().meta({ description: 'When the last of its messages had ended; the counts stay.' }),
  })
  .meta({ id: 'Announcement' });
export type AnnouncementBody = z.infer<typeof announcement>;
export const announcementPage = page(announcement).meta({ id: 'AnnouncementPage' });

const announcementParams = z.strictObject({ id: idSchema('camp'), announcementId: idSchema('anc') });
const tags = ['campaigns'];

export const announcementOperations = operationsOf(
  operation({
    id: 'announceCampaign',
    method: 'POST',
    path: '/v1/campaigns/{id}/announce',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    tags,
    summary: 'Announce a campaign',
    description:
      'Goes to the people of its segment in the background, to each once: in the app unless they switched offers off, by mail to ' +
      'those who opted in. Other mail goes first. It waits while the campaign is paused, and stops when it ends. A campaign has ' +
      '100 announcements at most.',
    params: campaignParams,
    body: announcementToSend,
    responses: {
      202: { description: 'Begun.', body: announcement, headers: { Location: 'The path of the announcement.' } },
    },
    errors: [engagementErrors.campaignNotInState, engagementErrors.tooManyAnnouncements],
  }),
  operation({
    id: 'listAnnouncements',
    method: 'GET',
    path: '/v1/campaigns/{id}/announcements',
    access: 'staff',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags,
    summary: 'List the announcements of a campaign',
    description: 'Newest first.',
    params: campaignParams,
    query: z.strictObject(pageQuery),
    responses: { 200: announcementPage },
  }),
  operation({
    id: 'getAnnouncement',
    method: 'GET',
    path: '/v1/campaigns/{id}/announcements/{announcementId}',
    access: 'staff',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags,
    summary: 'Read an announcement',
    description: 'How far it has come, and what came of its messages.',
    params: announcementParams,
    responses: { 200: announcement },
  }),
  operation({
    id: 'stopAnnouncement',
    method: 'POST',
    path: '/v1/campaigns/{id}/announcements/{announcementId}/stop',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    tags,
    summary: 'Stop an announcement',
    description:
      'What is not sent yet is not sent any more, and is counted in `skipped.announcement_stopped` in a moment. One that has ended stays as it is.',
    params: announcementParams,
    responses: { 200: announcement },
  }),
);
