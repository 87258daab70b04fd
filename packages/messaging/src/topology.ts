import type { Subscription } from './bus.ts';
import { MessagingError } from './errors.ts';

/** The exchange for all events. The routing key is the event's type. */
export const eventsExchange = 'storefront.events';

/** A durable queue with the event types bound to it. */
export interface QueueBinding {
  readonly queue: string;
  readonly types: readonly string[];
}

/** Every durable queue of the system. */
export type Topology = readonly QueueBinding[];

/** Returns all event types to which a queue is bound. An event of such a type must reach its queue. */
export function boundTypes(topology: Topology): ReadonlySet<string> {
  return new Set(topology.flatMap(({ types }) => types));
}

/**
 * Throws a MessagingError `messaging_subscription_unknown` unless the topology has this queue with the same types.
 * Without this check the subscription would miss events that are published before its first start.
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
