import { queues } from '@storefront/contracts';
import { subscription, type Subscription } from '@storefront/messaging';
import { onActionAudited } from '../audit/events/on-action-audited.ts';
import { onUserDataAnswered, onUserDataPageExported } from '../user-data/events/on-user-data-answered.ts';

type Parts = Parameters<typeof onUserDataAnswered>[0] & Parameters<typeof onActionAudited>[0];

/** All events that the service handles. */
export function subscriptions(parts: Parts): Subscription[] {
  return [
    subscription(queues.identity.onUserDataAnswered, onUserDataAnswered(parts)),
    subscription(queues.identity.onUserDataPageExported, onUserDataPageExported(parts)),
    subscription(queues.identity.onActionAudited, onActionAudited(parts)),
  ];
}
