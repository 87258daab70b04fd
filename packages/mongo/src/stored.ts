import type { Event } from '@storefront/contracts';

/** A document with its own outbox. State and events are stored in one write, so neither exists without the other. */
export interface Stored {
  _id: string;
  /** The number of changes. A change starts again if the document has another version than the one it loaded. */
  version: number;
  outbox: Event[];
  /** When the document was deleted. A deleted document is a tombstone: it stays until its last events are published. */
  deletedAt?: Date;
}

/** The type of the document that stores a state. */
export type StoredAs<State> = State extends unknown ? Omit<State, 'id'> & Stored : never;

/** The filter for documents that are not deleted. */
export const living = { deletedAt: { $exists: false } } as const;

/** The filter for tombstones that have nothing left to publish. */
export const finishedTombstone = { deletedAt: { $exists: true }, outbox: { $size: 0 } };
