import type { Subscription } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';

/**
 * The same subscription, but an event leaves nothing whose subject is an erased user, or a registration of theirs. Queues
 * have no order among each other, so it may come after the erasure, and is then done at once; or be handled meanwhile, and
 * what its handler wrote then is taken back by `takeBack`.
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
      // A handler that was halted writes when the erasure is over.
      if (await erasedUsers.has(subject)) await takeBack(subject);
      return outcome;
    },
  };
}
