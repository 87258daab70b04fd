import { toEvent, type Event, type Fact } from '@storefront/contracts';
import { currentCause } from '@storefront/messaging';
import mongoose from 'mongoose';
import type { Collection } from './collections.ts';
import { maxOutboxBytes } from './define-collection.ts';
import { DocumentTooLargeError } from './errors.ts';
import type { RelayOfWrites } from './relay.ts';
import type { Stored } from './stored.ts';

/** The outboxes of one collection's documents. */
export interface Outbox {
  readonly now: () => Date;
  /**
   * Returns the events of a document's version, to be stored with the document. Throws `DocumentTooLargeError` if they
   * are larger than an outbox may be.
   */
  record(facts: readonly Fact[], sequence: number): Event[];
  /** Publishes the events that were just stored with a change of the document; a change may have none. */
  publish(id: string, events: readonly Event[]): void;
  /** Call this when a document was deleted that had no events to publish. */
  leftTombstone(): void;
}

export function createOutbox(
  collection: Collection<Stored>,
  { relay, now }: { relay: RelayOfWrites; now: () => Date },
): Outbox {
  relay.watch(collection);
  return {
    now,
    record(facts, sequence) {
      const at = { sequence, time: now(), cause: currentCause() };
      const events = facts.map((fact) => toEvent(fact, at));
      if (events.length > 0 && mongoose.mongo.BSON.calculateObjectSize({ outbox: events }) > maxOutboxBytes)
        throw new DocumentTooLargeError(`events of more than ${maxOutboxBytes} bytes in one change`);
      return events;
    },
    publish: (id, events) => relay.publish(collection, id, events),
    leftTombstone: () => relay.leftTombstone(collection),
  };
}
