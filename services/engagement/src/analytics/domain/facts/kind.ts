import type { EventContract, EventOf } from '@storefront/contracts';
import type { z } from 'zod';
import type { Count, LaterCounts, PeopleSet } from './count.ts';
import type { Fact, FactDraft } from './fact.ts';
import type { Person } from './person.ts';

/** One kind of fact: which events become such facts, what they keep, and what they count for. */
export interface FactKind<Data = unknown> {
  /** The schema of `data`, which has everything that such a fact keeps. Tests use it. */
  readonly data: z.ZodType<Data>;
  /** The events of services that become such facts. Left out where only clients send such facts. */
  readonly events?: readonly FactSource<Data>[];
  /** What the fact adds to the sums of its moment and segment. By default nothing. */
  readonly countsOf?: (fact: Fact<Data>) => readonly Count[];
  /**
   * What the fact adds on later days. All of it must follow from the fact alone. The fact is kept until these days are
   * over.
   */
  readonly laterCountsOf?: (fact: Fact<Data>) => readonly LaterCounts[];
  /**
   * Whether a fact of this kind makes its user an active user. Visitors who are not logged in never count as active
   * users.
   */
  readonly isActivity?: true;
  /**
   * The other sets that the fact's person belongs to, at the moment and in the segment of the fact. Not called for
   * facts without a person.
   */
  readonly setsOf?: (fact: Fact<Data>) => readonly PeopleSet[];
}

/** An event of a service that becomes a fact. */
export interface FactSource<Data> {
  readonly contract: EventContract;
  /** Returns null where the event does not become a fact. */
  readonly draftOf: (event: EventOf<EventContract>) => FactDraft<Data> | null;
}

/** Declares a kind of facts. TypeScript checks that its parts agree about the type of `data`. */
export function factKind<Data>(kind: FactKind<Data>): FactKind<Data> {
  return kind;
}

/** Declares which fact an event of the contract becomes. */
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
