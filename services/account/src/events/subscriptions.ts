import { queues } from '@storefront/contracts';
import { subscription, type Subscription } from '@storefront/messaging';
import { onOrderPlaced } from './on-order-placed.ts';
import { onProductChanged, onProductSnapshot } from './on-product-changed.ts';
import { onRecipientRequested } from './on-recipient-requested.ts';

type Parts = Parameters<typeof onProductChanged>[0] &
  Parameters<typeof onOrderPlaced>[0] &
  Parameters<typeof onRecipientRequested>[0];

/** The service's subscriptions, one for each queue. `serve` adds the subscription to requests about a person's data. */
export function subscriptions(parts: Parts): Subscription[] {
  return [
    subscription(queues.account.onProductChanged, onProductChanged(parts)),
    subscription(queues.account.onProductSnapshot, onProductSnapshot(parts)),
    subscription(queues.account.onOrderPlaced, [onOrderPlaced(parts)]),
    subscription(queues.account.onRecipientRequested, [onRecipientRequested(parts)]),
  ];
}
