import type { engagementHttp } from '@storefront/contracts';
import type { Delivery } from '../domain/delivery.ts';
import type { Notification } from '../domain/notification.ts';

/** A notification as its reader sees it. */
export function showNotification({ id, type, title, body, data, readAt, createdAt }: Notification) {
  return {
    id,
    type,
    title,
    body,
    data,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  } satisfies engagementHttp.NotificationBody;
}

/** A delivery as an administrator sees it: everything but the words of the message. */
export function showDelivery(delivery: Delivery, messageId: string) {
  const { id, channel, category, template, userId, email, status, reason, attemptCount } = delivery;
  return {
    id,
    channel,
    category,
    template,
    userId,
    email,
    status,
    reason,
    messageId: channel === 'EMAIL' && email !== null ? messageId : null,
    attemptCount,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    nextAttemptAt: delivery.dueAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  } satisfies engagementHttp.DeliveryBody;
}
