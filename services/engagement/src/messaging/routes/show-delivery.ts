import type { engagementHttp } from '@storefront/contracts';
import { messageIdOf } from '../domain/outgoing-mail.ts';
import type { ListedDelivery } from '../store/deliveries.ts';

/** A delivery as an administrator sees it: everything but the content of the message. */
export function showDelivery(delivery: ListedDelivery, mailDomain: string) {
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
    messageId: channel === 'EMAIL' && email !== null ? messageIdOf(id, mailDomain) : null,
    attemptCount,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    nextAttemptAt: delivery.dueAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  } satisfies engagementHttp.DeliveryBody;
}
