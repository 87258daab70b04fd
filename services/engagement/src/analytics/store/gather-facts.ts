import { batch } from '@storefront/mongo';
import { gatheredAtOnce } from '../domain/facts/gathered-at-once.ts';
import type { FactStore, NewFact } from './fact-store.ts';

/** What the queue of facts brings: a fact, or a heartbeat, before which everything was told that comes before it. */
type Told = { readonly fact: NewFact } | { readonly heartbeat: Date };

/** Facts that come at the same moment, in one write. */
export interface GatheredFacts {
  take(fact: NewFact): Promise<void>;
  /** Says `heard` when everything is stored that was handed in before. */
  hear(heartbeat: Date): Promise<void>;
}

export function gatherFacts(facts: Pick<FactStore, 'take'>, heard: (heartbeat: Date) => Promise<void>): GatheredFacts {
  const gather = batch<Told, null>({
    // One write after the other: a heartbeat never overtakes what came before it.
    concurrency: 1,
    atMost: gatheredAtOnce,
    async work(told) {
      await facts.take(told.flatMap((each) => ('fact' in each ? each.fact : [])));
      const heartbeats = told.flatMap((each) => ('heartbeat' in each ? each.heartbeat.getTime() : []));
      if (heartbeats.length > 0) await heard(new Date(Math.max(...heartbeats)));
      return told.map(() => null);
    },
  });
  return {
    take: async (fact) => void (await gather({ fact })),
    hear: async (heartbeat) => void (await gather({ heartbeat })),
  };
}

/** Takes what several requests of one moment tell in one write. */
export function gatherTaking(facts: Pick<FactStore, 'take'>): Pick<FactStore, 'take'> {
  const take = batch<readonly NewFact[], readonly boolean[]>({
    concurrency: 2,
    async work(told) {
      const isNew = await facts.take(told.flat());
      let from = 0;
      return told.map(({ length }) => isNew.slice(from, (from += length)));
    },
  });
  return { take };
}
