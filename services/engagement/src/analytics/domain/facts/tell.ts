import type { Event } from '@storefront/contracts';
import type { StatedFact } from './fact.ts';
import { kinds, type FactKindName } from './kinds.ts';

/** A fact of a kind, as an event tells it. */
export interface ToldFact extends StatedFact {
  readonly kind: FactKindName;
}

const tellers = new Map(
  Object.values(kinds).flatMap(({ name: kind, tellers: ofKind }) =>
    ofKind.map(({ contract, factOf }) => [contract.type, { kind, factOf }] as const),
  ),
);

/** The fact that an event tells, null where it does not count. Its data is as its contract says. Throws where no kind reads such events. */
export function tell(event: Event): ToldFact | null {
  const teller = tellers.get(event.type);
  if (!teller) throw new Error(`No kind of facts is told by ${event.type}`);
  const stated = teller.factOf(event);
  return stated && { ...stated, kind: teller.kind };
}
