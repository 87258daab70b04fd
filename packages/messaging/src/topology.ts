import type { Subscription } from './bus.ts';
import { MessagingError } from './errors.ts';

/** The one exchange; the routing key is the event's type. */
export const eventsExchange = 'storefront.events';

/** Every durable queue of the system with the event types bound to it. */
export type Topology = readonly { readonly queue: string; readonly types: readonly string[] }[];

/** The event types that somebody keeps a queue for: publishing one of them must reach that queue. */
export function awaitedTypes(topology: Topology): ReadonlySet<string> {
  return new Set(topology.flatMap(({ types }) => types));
}

/**
 * Throws unless the subscription is in the topology with the same types. One that is not would miss what is published
 * while it has never yet run, and nobody would notice.
 */
export function checkSubscription(topology: Topology, { queue, types }: Pick<Subscription, 'queue' | 'types'>): void {
  const known = topology.find((binding) => binding.queue === queue);
  if (!known) {
    throw new MessagingError(
      'messaging_subscription_unknown',
      `The queue ${queue} is not in the topology: add it there, so that every service declares it.`,
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
