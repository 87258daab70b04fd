import { z } from 'zod';
import { operation, operationsOf } from '../operation.ts';

const unsubscribeParams = z.strictObject({
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{64}$/)
    .meta({ description: 'As it is in the link of a mail.', examples: ['x'.repeat(64)] }),
});

const page = (description: string) => ({ description, contentType: 'text/html' });
const tags = ['notifications'];

export const unsubscribeOperations = operationsOf(
  operation({
    id: 'showUnsubscribePage',
    method: 'GET',
    path: '/v1/notifications/unsubscribe/{token}',
    access: 'public',
    tags,
    summary: 'Show the page on which mails are ended',
    description: 'For people who follow the link in a mail. It changes nothing: the button on it does.',
    params: unsubscribeParams,
    responses: { 200: page('The page.') },
  }),
  operation({
    id: 'unsubscribe',
    method: 'POST',
    path: '/v1/notifications/unsubscribe/{token}',
    access: 'public',
    form: z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
    tags,
    summary: 'End the mails of one category',
    description:
      'By one click in a mail program (RFC 8058), without a login: mails about offers, or about marketing, stop. Nothing else ' +
      'changes, it succeeds again, and the answer tells nothing about whose mails they are. `PUT /v1/notifications/preferences` ' +
      'switches them on again.',
    params: unsubscribeParams,
    responses: { 200: page('It is done.') },
  }),
);
