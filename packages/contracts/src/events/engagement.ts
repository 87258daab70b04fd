import { z } from 'zod';
import { defineEvent } from '../event.ts';

// For statistics and tracing: these events hold no address and no text of the message.
const message = {
  channel: z.enum(['IN_APP', 'EMAIL', 'SMS', 'PUSH']),
  category: z.string(),
  template: z.string(),
  userId: z.string().nullable(),
};

export const notificationRequested = defineEvent(
  'engagement.notification-requested',
  'A message is to be sent; `recorded` where it is only kept, because its channel or recipient is missing or switched off.',
  z.object({ ...message, recorded: z.boolean() }),
);

export const notificationDelivered = defineEvent(
  'engagement.notification-delivered',
  'The message was handed over: to the mail server, or into the list of the user.',
  z.object({ ...message, attempts: z.int() }),
);

export const notificationFailed = defineEvent(
  'engagement.notification-failed',
  'The message will not be sent, and why.',
  z.object({ ...message, attempts: z.int(), reason: z.string() }),
);

export const notificationsChanged = defineEvent(
  'engagement.notifications-changed',
  'The in-app notifications of the subject, a user or a role, are other ones now. Not stored: whoever misses it looks by itself within seconds.',
  z.object({}),
);
