import { notFound, type engagementHttp, type engagementOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Cursors, type Handlers } from '@storefront/http';
import type { Suppressions } from '../store/suppressions.ts';
import { retryDelivery } from '../commands/deliveries.ts';
import { sendNotification, type MessageNeeds } from '../commands/send-notification.ts';
import type { Deliveries, ListedDelivery } from '../store/deliveries.ts';
import { messageIdOf } from '../domain/outgoing-mail.ts';

interface Needs extends MessageNeeds {
  readonly deliveries: Deliveries;
  readonly suppressions: Suppressions;
  readonly cursors: Cursors;
  /** The domain in each mail's `Message-ID`. */
  readonly mailDomain: string;
}

/** The routes for staff to send a message to one person, to list deliveries, and to retry failed ones. */
export function deliveryHandlers(
  needs: Needs,
): Pick<
  Handlers<typeof engagementOperations>,
  'sendNotification' | 'listDeliveries' | 'getDelivery' | 'retryDelivery'
> {
  const { deliveries, cursors, mailDomain } = needs;
  const show = (delivery: ListedDelivery) => showDelivery(delivery, mailDomain);
  return {
    async sendNotification(request) {
      const id = newIdFor(request, 'dlv');
      const { delivery, notificationId } = await sendNotification(needs, id, request.body, actorOf(request));
      request.log.info({ delivery: id, by: request.caller.sub }, 'message requested');
      return { id, status: delivery.status, reason: delivery.reason, notificationId };
    },

    listDeliveries({ caller, query }) {
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      return cursors.page(
        { list: 'deliveries', owner: caller.sub, query },
        (slice) => deliveries.list(filter, slice),
        show,
      );
    },

    getDelivery: ({ params }) => read(params.id),

    retryDelivery: {
      handle: async (request) => show(await retryDelivery(needs, request.params.id, actorOf(request))),
      again: ({ params }) => read(params.id),
    },
  };

  async function read(id: string) {
    const found = await deliveries.load(id);
    if (found === null) throw notFound('delivery');
    return show(found.state);
  }
}

/** Shows a delivery to staff: everything except the content of the message. */
function showDelivery(delivery: ListedDelivery, mailDomain: string) {
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
