import type { Subscription } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';

/**
 * The same subscription, but an event whose subject is an erased user is done at once. Queues have no order among each
 * other, so an event about a user may come after the erasure.
 */
export function unlessErased(subscription: Subscription, erasedUsers: Pick<ErasedUsers, 'has'>): Subscription {
  return {
    ...subscription,
    handle: async (event, context) =>
      (await erasedUsers.has(event.subject)) ? 'done' : subscription.handle(event, context),
  };
}
