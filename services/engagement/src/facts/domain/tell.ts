import type { Event, EventContract, EventOf } from '@storefront/contracts';
import type { StatedFact } from './fact.ts';
import { kinds } from './kinds.ts';
import type { FactKindName } from './kinds.ts';

/** A fact of a kind, as an event tells it. */
export interface ToldFact extends StatedFact {
  readonly kind: FactKindName;
}

/** All events that tell a fact, and which one. null where the event does not count. */
export const tellings: readonly {
  readonly contract: EventContract;
  readonly tell: (event: EventOf<EventContract>) => ToldFact | null;
}[] = Object.values(kinds).flatMap(({ name: kind, tellers }) =>
  tellers.map(({ contract, factOf }) => ({
    contract,
    tell(event: Event) {
      const stated = factOf(event);
      return stated && { ...stated, kind };
    },
  })),
);
