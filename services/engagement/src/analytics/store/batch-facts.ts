import { batch } from '@storefront/mongo';
import type { FactStore, NewFact } from './fact-store.ts';

/** How many facts are taken from the queue and stored together. */
export const factsAtOnce = 500;

/**
 * A message from the queue of facts: a fact, or the time of a heartbeat. Everything published before a heartbeat
 * arrives before the heartbeat.
 */
type Incoming = { readonly fact: NewFact } | { readonly heartbeat: Date };

/** Stores facts that arrive at the same time in one write. */
export interface FactIntake {
  add(fact: NewFact): Promise<void>;
  /** Calls `onHeartbeat` once everything that arrived before is stored. */
  noteHeartbeat(time: Date): Promise<void>;
}

export function batchFacts(facts: Pick<FactStore, 'add'>, onHeartbeat: (heartbeat: Date) => Promise<void>): FactIntake {
  const store = batch<Incoming, null>({
    // One write after the other, so that a heartbeat never overtakes the facts before it.
    concurrency: 1,
    atMost: factsAtOnce,
    async work(incoming) {
      await facts.add(incoming.flatMap((each) => ('fact' in each ? each.fact : [])));
      const heartbeats = incoming.flatMap((each) => ('heartbeat' in each ? each.heartbeat.getTime() : []));
      if (heartbeats.length > 0) await onHeartbeat(new Date(Math.max(...heartbeats)));
      return incoming.map(() => null);
    },
  });
  return {
    add: async (fact) => void (await store({ fact })),
    noteHeartbeat: async (heartbeat) => void (await store({ heartbeat })),
  };
}

/** Stores the facts of several requests that arrive at the same time in one write. */
export function batchAdds(facts: Pick<FactStore, 'add'>): Pick<FactStore, 'add'> {
  const add = batch<readonly NewFact[], readonly boolean[]>({
    concurrency: 2,
    async work(requests) {
      const isNew = await facts.add(requests.flat());
      let from = 0;
      return requests.map(({ length }) => isNew.slice(from, (from += length)));
    },
  });
  return { add };
}
