import type { EventContract, EventOf } from '@storefront/contracts';
import type { z } from 'zod';
import type { Count, LaterCounts, PeopleSet } from './count.ts';
import type { Fact, FactDraft } from './fact.ts';
import type { Person } from './person.ts';

/** One kind of fact: which events become it, what is kept of them, and what it counts for. */
export interface FactKind<Data = unknown> {
  /** The shape of `data`, for tests: everything that is kept. */
  readonly data: z.ZodType<Data>;
  /** The events of services that become such facts; none where only clients send them. */
  readonly events?: readonly FactSource<Data>[];
  /** What it adds to the sums of its moment and segment. Nothing by default. */
  readonly countsOf?: (fact: Fact<Data>) => readonly Count[];
  /** What it adds on later days, all of which are known from the fact alone; it is kept until they are over. */
  readonly laterCountsOf?: (fact: Fact<Data>) => readonly LaterCounts[];
  /** Whether it makes its user an active user. A visitor who is not logged in is none. */
  readonly isActivity?: true;
  /** The other sets that its person belongs to at its moment and in its segment; not called for a fact without a person. */
  readonly setsOf?: (fact: Fact<Data>) => readonly PeopleSet[];
}

/** One event that becomes facts of a kind. */
export interface FactSource<Data> {
  readonly contract: EventContract;
  /** null where this event does not count. */
  readonly draftOf: (event: EventOf<EventContract>) => FactDraft<Data> | null;
}

/** Declares a kind. */
export function factKind<Data>(kind: FactKind<Data>): FactKind<Data> {
  return kind;
}

/** Declares what becomes of an event of the contract. */
export function from<Contract extends EventContract, Data>(
  contract: Contract,
  draftOf: (event: EventOf<Contract>) => FactDraft<Data> | null,
): FactSource<Data> {
  // The event has been checked against its contract before this function gets it.
  return { contract, draftOf: (event) => draftOf(event as EventOf<Contract>) };
}

/** The user with that id. Returns null where the id is not known. */
export function user(userId: string | null): Person | null {
  return userId === null ? null : { userId };
}
