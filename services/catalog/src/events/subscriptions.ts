import { queues } from '@storefront/contracts';
import { subscription, type Subscription } from '@storefront/messaging';
import { onOrderCancelled } from './on-order-cancelled.ts';
import { onOrderReduced } from './on-order-reduced.ts';
import { onOrderRequested } from './on-order-requested.ts';
import { onOrderReturned } from './on-order-returned.ts';
import { onOrderShipped } from './on-order-shipped.ts';

// As many as a batch of steps may have, which share a transaction.
const ordersAtOnce = { prefetch: 100 };

/** The service's subscriptions, one for each queue. */
export function subscriptions(parts: Parameters<typeof onOrderRequested>[0]): Subscription[] {
  return [
    subscription(queues.catalog.onOrderRequested, [onOrderRequested(parts)], ordersAtOnce),
    subscription(queues.catalog.onOrderCancelled, [onOrderCancelled(parts)], ordersAtOnce),
    subscription(queues.catalog.onOrderReduced, [onOrderReduced(parts)], ordersAtOnce),
    subscription(queues.catalog.onOrderReturned, [onOrderReturned(parts)], ordersAtOnce),
    subscription(queues.catalog.onOrderShipped, [onOrderShipped(parts)], ordersAtOnce),
  ];
}
