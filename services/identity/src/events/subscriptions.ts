import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import type { Subscription } from '@storefront/messaging';
import { onUserDataAnswered } from './on-user-data-answered.ts';

/** All events that the service handles. */
export function subscriptions(parts: Parameters<typeof onUserDataAnswered>[0]): Subscription[] {
  return [subscription(queues.identity.onUserDataAnswered, onUserDataAnswered(parts))];
}
