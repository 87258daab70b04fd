import type { Event } from '@storefront/contracts';

/** A document that carries its own outbox: state and events are one write, so neither is ever without the other. */
export interface Stored {
  _id: string;
  /** Counts the changes; a change that loaded another version starts again. */
  version: number;
  outbox: Event[];
  /** When it was deleted. Such a document is a tombstone: it stays until its last events are published. */
  deletedAt?: Date;
}

/** The document that holds a state. */
export type StoredAs<State> = State extends unknown ? Omit<State, 'id'> & Stored : never;

/** The filter for documents that are not deleted. */
export const living = { deletedAt: { $exists: false } } as const;

/** A tombstone that has nothing to publish any more. */
export const finishedTombstone = { deletedAt: { $exists: true }, outbox: { $size: 0 } };
