import { isDeepStrictEqual } from 'node:util';
import type { Event, Fact } from '@storefront/contracts';
import type { Write } from './batch-writes.ts';
import type { Outbox } from './outbox.ts';
import type { Decide, Loaded } from './repository.ts';
import type { Stored } from './stored.ts';

/** The write that follows from a decision about one document. */
export interface Planned<State, Result> {
  readonly result: Result;
  /** The document's version after the write. */
  readonly version: number;
  /** The events that the write stores. */
  readonly events: readonly Event[];
  /** Null if nothing has to be written. */
  readonly write: Write | Removal | null;
  /** The state that the write stores; undefined if it deletes the document. */
  readonly next?: State;
}

/** Deletes the document with this id and version. */
export interface Removal {
  readonly remove: { readonly _id: string; readonly version: number };
}

/**
 * Calls `decide` and turns its decision into a write. The write fails if the document is no longer at the version of
 * `current`.
 */
export function plan<State extends { readonly id: string }, Result>(
  id: string,
  current: Loaded<State> | null,
  decide: Decide<State, Result>,
  outbox: Outbox | null,
): Planned<State, Result> {
  const before = current?.version ?? 0;
  const decision = current && !isTombstone(current.state) ? decide(current.state, before) : decide(null, 0);
  const { kind, result } = decision;
  if (kind === 'unchanged' || (kind === 'deleted' && current === null))
    return { result, version: before, events: [], write: null };

  const version = before + 1;
  const events = recordEvents(outbox, id, decision.facts, version);
  const filter = { _id: id, version: before };
  const added = events.length > 0 ? { $push: { outbox: { $each: events } } } : {};
  if (kind === 'deleted') {
    const write = outbox
      ? { filter, update: { $set: { version, deletedAt: outbox.now() }, ...added } }
      : { remove: filter };
    return { result, version, events, write };
  }
  const next = decision.state;
  if (current === null) {
    return { result, version, events, write: { insert: toDocument({ ...next, id }, outbox && events) }, next };
  }
  const { set, unset } = difference(current.state, next);
  // Events are pushed and the outbox is not set, so that events that the relay removes meanwhile stay removed.
  const update = { $set: { ...set, version }, ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}), ...added };
  return { result, version, events, write: { filter, update }, next };
}

/** Returns the events of a document's version. Throws if there are facts but no outbox. */
export function recordEvents(outbox: Outbox | null, id: string, facts: readonly Fact[], sequence: number): Event[] {
  if (outbox) return outbox.record(facts, sequence);
  if (facts.length > 0) throw new Error(`${id} can't have events: its collection has no outbox`);
  return [];
}

/** Returns the first version of a document. `events` is null if the collection has no outbox. */
export function toDocument({ id, ...fields }: { readonly id: string }, events: Event[] | null): Stored {
  return { ...fields, _id: id, version: 1, ...(events ? { outbox: events } : {}) } as Stored;
}

export function isTombstone(state: object): boolean {
  return 'deletedAt' in state && state.deletedAt !== undefined;
}

// Returns only the fields that changed, so that a small change of a large document is a small write.
function difference(before: object, after: object): { set: Record<string, unknown>; unset: Record<string, ''> } {
  const set: Record<string, unknown> = {};
  const unset: Record<string, ''> = {};
  const old = before as Record<string, unknown>;
  for (const [key, value] of Object.entries(after)) {
    if (key === 'id') continue;
    if (value === undefined) {
      if (old[key] !== undefined) unset[key] = '';
    } else if (!isDeepStrictEqual(old[key], value)) set[key] = value;
  }
  for (const key of Object.keys(old)) if (key !== 'id' && !(key in after)) unset[key] = '';
  return { set, unset };
}
