import type { engagementOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Handlers } from '@storefront/http';
import { sendNotification, type MessageNeeds } from '../commands/send-notification.ts';

/** Administrators send messages to one person. */
export function messageHandlers(needs: MessageNeeds): Pick<Handlers<typeof engagementOperations>, 'sendNotification'> {
  return {
    async sendNotification(request) {
      const id = newIdFor(request, 'dlv');
      const { delivery, notificationId } = await sendNotification(needs, id, request.body, actorOf(request));
      request.log.info({ delivery: id, by: request.caller.sub }, 'message requested');
      return { id, status: delivery.status, reason: delivery.reason, notificationId };
    },
  };
}
