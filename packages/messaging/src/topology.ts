import type { Subscription } from './bus.ts';
import { MessagingError } from './errors.ts';

/** The one exchange; the routing key is the event's type. */
export const eventsExchange = 'storefront.events';

/** A durable queue with the event types bound to it. */
export interface QueueBinding {
  readonly queue: string;
  readonly types: readonly string[];
}

/** Every durable queue of the system. */
export type Topology = readonly QueueBinding[];

/** The event types that a queue is bound to: publishing one of them must reach that queue. */
export function boundTypes(topology: Topology): ReadonlySet<string> {
  return new Set(topology.flatMap(({ types }) => types));
}

/**
 * Throws a MessagingError `messaging_subscription_unknown` unless the topology has the queue with the same types. Else
 * the subscription would miss the events that are published before its first start.
 */
export function checkSubscription(topology: Topology, { queue, types }: Pick<Subscription, 'queue' | 'types'>): void {
  const known = topology.find((binding) => binding.queue === queue);
  if (!known) {
    throw new MessagingError(
      'messaging_subscription_unknown',
      `The queue ${queue} is not in the topology: add it there, so that publishers know of it.`,
    );
  }
  const differing = [...new Set(types).symmetricDifference(new Set(known.types))];
  if (differing.length > 0) {
    throw new MessagingError(
      'messaging_subscription_unknown',
      `The subscription ${queue} and the topology do not name the same types: ${differing.join(', ')}.`,
    );
  }
}
