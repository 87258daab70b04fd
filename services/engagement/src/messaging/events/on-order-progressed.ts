import {
  derivedId,
  eventRecordDays,
  locale,
  ordersEvents,
  readingOf,
  type EventOf,
  type Reading,
} from '@storefront/contracts';
import { on, type HandlerAnswer } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';
import { requestMail, type MailRequest } from '../commands/deliveries.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { orderNotification, orderTemplates, type OrderMail } from '../domain/order-messages.ts';
import { notifyAbout } from './about-event.ts';

interface Needs extends MessageNeeds {
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly eraseMessagesTo: (userId: string) => Promise<void>;
}

type OrderEvent = EventOf<typeof ordersEvents.orderProgressed>;

/**
 * Sends one mail about each event: to a user with a notification, to a guest with the secret of the order in its link.
 * Ids are derived from the event, so an event that is delivered again sends nothing twice. This holds for as long as
 * dead letters can be replayed.
 */
export function onOrderProgressed(needs: Needs) {
  const { erasedUsers, recipients, writingFor, eraseMessagesTo } = needs;
  return on(ordersEvents.orderProgressed, async (event): Promise<HandlerAnswer> => {
    const { userId } = event.data;
    if (userId === null) return mailGuest(event);
    if (await erasedUsers.has(userId)) return 'done';
    const answer = await tellUser(event, userId);
    // The user may have been erased while the messages were being written.
    if (await erasedUsers.has(userId)) await eraseMessagesTo(userId);
    return answer;
  });

  async function tellUser(event: OrderEvent, userId: string): Promise<HandlerAnswer> {
    const recipient = await recipients.find(userId);
    // This event may come before identity's event about the user.
    if (recipient === null) return { outcome: 'retry', reason: 'the email address of the user is not known yet' };
    const { email, firstName } = recipient;
    const [template, data, reading] = [
      orderTemplates[event.data.kind],
      orderOf(event, firstName),
      readingOf(recipient),
    ];
    await notifyAbout(needs, event, orderNotification(writingFor(reading), userId, template, data));
    await mail(event, { to: email, userId, reading, mail: { template, data } });
    return 'done';
  }

  async function mailGuest(event: OrderEvent): Promise<HandlerAnswer> {
    const { kind, email, orderSecret } = event.data;
    if (email === null) return { outcome: 'reject', reason: 'neither a user nor an email address' };
    await mail(event, {
      to: email,
      userId: null,
      reading: readingOfGuest(event),
      mail: { template: orderTemplates[kind], data: orderOf(event, null) },
      ...(orderSecret !== null && { code: secretOf(event, orderSecret) }),
    });
    return 'done';
  }

  async function mail(event: OrderEvent, request: Omit<MailRequest, 'category'>): Promise<void> {
    await requestMail(needs, derivedId('dlv', event.id, request.mail.template), { ...request, category: 'orders' });
  }
}

function orderOf({ subject, data }: OrderEvent, firstName: string | null): OrderMail {
  const { number, currency, lines, tracking, refund, totals, taxIncluded, payment } = data;
  return { orderId: subject, firstName, number, currency, lines, tracking, refund, totals, taxIncluded, payment };
}

/** A language that mails do not have counts as none. */
function readingOfGuest({ data }: OrderEvent): Reading {
  const known = locale.safeParse(data.locale);
  return known.success ? { locale: known.data } : {};
}

const dayMs = 24 * 60 * 60 * 1000;

/** The secret itself does not expire. It is in each mail about the order, so no mail replaces another. */
function secretOf({ id, time, sequence }: OrderEvent, sealed: string): NonNullable<MailRequest['code']> {
  const expiresAt = new Date(Date.parse(time) + eventRecordDays * dayMs);
  return { sealed, expiresAt, purpose: `order ${id}`, sequence };
}
