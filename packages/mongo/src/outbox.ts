import { toEvent } from '@storefront/contracts';
import type { Event, Fact } from '@storefront/contracts';
import { currentCause } from '@storefront/messaging';
import type { Collection } from './collections.ts';
import type { Relay } from './relay.ts';
import type { Stored } from './stored.ts';

/** The outboxes of the documents of one collection. */
export interface Outbox {
  readonly now: () => Date;
  /** The events of a document's version, to be stored with it. */
  record(facts: readonly Fact[], sequence: number): Event[];
  /** Publishes events that were just stored. */
  publish(id: string, events: readonly Event[]): void;
}

export function createOutbox(
  collection: Collection<Stored>,
  { relay, now }: { relay: Pick<Relay, 'watch' | 'publish'>; now: () => Date },
): Outbox {
  relay.watch(collection);
  return {
    now,
    record(facts, sequence) {
      const at = { sequence, time: now(), cause: currentCause() };
      return facts.map((fact) => toEvent(fact, at));
    },
    publish(id, events) {
      if (events.length > 0) relay.publish(collection, id, events);
    },
  };
}
