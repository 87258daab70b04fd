import type { Subscription } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';

/**
 * Returns the same subscription, but its events leave no data about an erased user or a registration of that user.
 * Events of different queues have no common order, so an event may arrive after the erasure: then it is not handled. If
 * the user is erased while an event is being handled, `takeBack` erases the data that the handler has written.
 */
export function unlessErased(
  subscription: Subscription,
  erasedUsers: Pick<ErasedUsers, 'has'>,
  takeBack: (subject: string) => Promise<void>,
): Subscription {
  return {
    ...subscription,
    async handle(event, context) {
      const { subject } = event;
      if (await erasedUsers.has(subject)) return 'done';
      const outcome = await subscription.handle(event, context);
      // A handler that paused may have written its data after the erasure had ended.
      if (await erasedUsers.has(subject)) await takeBack(subject);
      return outcome;
    },
  };
}
