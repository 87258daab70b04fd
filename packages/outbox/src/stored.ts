import type { Event } from '@storefront/contracts';

/** A document that carries its own outbox: state and events are one write, so neither is ever without the other. */
export interface Stored {
  _id: string;
  /** Counts the changes; a change that loaded another version starts again. */
  version: number;
  outbox: Event[];
  /** A tombstone: deleted, but its last events are still to be published. */
  deletedAt?: Date;
}
