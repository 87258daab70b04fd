import { notFound, type engagementHttp, type engagementOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Cursors, type Handlers } from '@storefront/http';
import type { Suppressions } from '../store/suppressions.ts';
import { retryDelivery } from '../commands/deliveries.ts';
import { sendNotification, type MessageNeeds } from '../commands/send-notification.ts';
import type { MessageDelivery } from '../domain/delivery.ts';
import type { RenderedMail } from '../domain/layout.ts';
import type { Deliveries, ListedDelivery } from '../store/deliveries.ts';
import { messageIdOf } from '../domain/outgoing-mail.ts';

interface Needs extends MessageNeeds {
  readonly deliveries: Deliveries;
  readonly suppressions: Suppressions;
  readonly cursors: Cursors;
  /** Writes the mail of a delivery without its secrets; null where its content is not kept. */
  readonly writeMailForStaff: (delivery: MessageDelivery) => Promise<RenderedMail | null>;
  /** The domain in each mail's `Message-ID`. */
  readonly mailDomain: string;
}

/** The routes for staff to send a message to one person, to list deliveries, and to retry failed ones. */
export function deliveryHandlers(
  needs: Needs,
): Pick<
  Handlers<typeof engagementOperations>,
  'sendNotification' | 'listDeliveries' | 'getDelivery' | 'getDeliveryMail' | 'retryDelivery'
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

    getDelivery: async ({ params }) => show(await find(params.id)),

    async getDeliveryMail({ params }) {
      return { content: await needs.writeMailForStaff(await find(params.id)) };
    },

    retryDelivery: {
      handle: async (request) => show(await retryDelivery(needs, request.params.id, actorOf(request))),
      again: async ({ params }) => show(await find(params.id)),
    },
  };

  async function find(id: string): Promise<MessageDelivery> {
    const found = await deliveries.load(id);
    if (found === null) throw notFound('delivery');
    return found.state;
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
