import type { EventContract, EventOf } from '@storefront/contracts';
import type { z } from 'zod';
import type { Count, LaterCounts, PeopleSet } from './count.ts';
import type { Fact, StatedFact } from './fact.ts';

/** One kind of fact: which events tell it, what is kept of them, and what it counts for. Each kind is one file. */
export interface FactKind<Name extends string = string, Data = unknown> {
  readonly name: Name;
  /** The shape of `data`, for tests: everything that is kept. */
  readonly data: z.ZodType<Data>;
  /** What the events of the services say; empty where clients alone tell it. */
  readonly tellers: readonly Teller<Data>[];
  /** What it adds to the sums of its moment and segment. */
  readonly countsOf: (fact: Fact<Data, Name>) => readonly Count[];
  /** What it adds on later days, all of which are known from the fact alone; it is kept until they are over. */
  readonly laterCountsOf?: (fact: Fact<Data, Name>) => readonly LaterCounts[];
  /** The sets that its person belongs to at its moment and in its segment; not called for a fact of nobody. */
  readonly setsOf: (fact: Fact<Data, Name>) => readonly PeopleSet[];
}

/** One event that tells a kind of fact. */
export interface Teller<Data> {
  readonly contract: EventContract;
  /** null where this event does not count. */
  readonly factOf: (event: EventOf<EventContract>) => StatedFact<Data> | null;
}

/** Declares what an event of the contract tells. */
export function toldBy<Contract extends EventContract, Data>(
  contract: Contract,
  factOf: (event: EventOf<Contract>) => StatedFact<Data> | null,
): Teller<Data> {
  // The event is checked by the contract before it is read here.
  return { contract, factOf: (event) => factOf(event as EventOf<Contract>) };
}
