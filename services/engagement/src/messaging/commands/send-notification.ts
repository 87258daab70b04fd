import {
  audited,
  derivedId,
  invalidFields,
  readingOf,
  type Actor,
  type engagementHttp,
  type Fact,
  type Reading,
} from '@storefront/contracts';
import type { z } from 'zod';
import { recordDelivery, requestMail, type MailNeeds } from './deliveries.ts';
import type { MessageDelivery, NewDelivery } from '../domain/delivery.ts';
import { addNotification, type NotificationNeeds } from './notifications.ts';
import { missingFields } from '../domain/missing-fields.ts';
import type { Writing } from '../domain/templates/compose.ts';
import type { Recipients } from '../store/recipients.ts';

export type MessageNeeds = MailNeeds &
  NotificationNeeds & {
    readonly recipients: Pick<Recipients, 'find' | 'segmentOf'>;
    /** Returns with what to write for a reader. */
    readonly writingFor: (reading: Reading) => Writing;
  };

type Message = z.output<typeof engagementHttp.notificationToSend>;

interface SentMessage {
  readonly delivery: MessageDelivery;
  /** Null where no notification is shown in the app. */
  readonly notificationId: string | null;
}

/**
 * Sends a message of staff, as a mail or as a notification in the app. A message that the user has switched
 * off, or whose channel is not connected, is only recorded. `id` is the delivery's id; a second call with the same id
 * sends nothing more. Throws `validation_failed` with every field that the channel needs and the message lacks.
 */
export async function sendNotification(
  needs: MessageNeeds,
  id: string,
  message: Message,
  actor: Actor,
): Promise<SentMessage> {
  const missing = missingFields(message);
  if (missing.length > 0) throw invalidFields(missing);
  const { channel, category, type, userId: about = null } = message;
  const object = { type: 'delivery', id };
  const sent = audited('engagement', actor, 'notification-sent', {
    object,
    about,
    details: { channel, category, type },
  });
  switch (channel) {
    case 'EMAIL':
      return sendMail(needs, id, message, sent);
    case 'IN_APP':
      return showInApp(needs, id, message, sent);
    case 'SMS':
    case 'PUSH':
      return record(needs, id, message, sent, { status: 'recorded', reason: 'channel_not_connected' });
  }
}

async function sendMail(needs: MessageNeeds, id: string, message: Message, sent: Fact): Promise<SentMessage> {
  const { email = '', userId = null, category, html = null, text = null } = message;
  const reading = readingOf((userId === null ? null : await needs.recipients.find(userId)) ?? {});
  const { language, shop } = needs.writingFor(reading);
  const subject = message.subject ?? message.title ?? language.noSubject(shop.name);
  const mail = { template: 'message', data: { subject, html, text } } as const;
  const delivery = await requestMail(needs, id, { to: email, userId, reading, category, mail }, sent);
  return { delivery, notificationId: null };
}

async function showInApp(needs: MessageNeeds, id: string, message: Message, sent: Fact): Promise<SentMessage> {
  const { userId = '', category, type, title = '', body = '', data } = message;
  const notificationId = derivedId('ntf', id, userId);
  const added = { audience: userId, category, type, title, body, data };
  if (await addNotification(needs, notificationId, added, { hasDelivery: true }))
    return record(needs, id, message, sent, { status: 'delivered' }, notificationId);
  return record(needs, id, message, sent, { status: 'recorded', reason: 'switched_off_by_user' });
}

async function record(
  needs: MessageNeeds,
  id: string,
  { channel, category, type, userId, email }: Message,
  sent: Fact,
  start: NewDelivery['start'],
  notificationId: string | null = null,
): Promise<SentMessage> {
  const recorded = {
    id,
    channel,
    category,
    template: type,
    userId: userId ?? null,
    email: email ?? null,
    mail: null,
    start,
  };
  const { state: delivery } = await recordDelivery(needs, recorded, sent);
  return { delivery, notificationId };
}
