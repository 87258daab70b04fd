import { batch } from '@storefront/mongo';
import { LRUCache } from 'lru-cache';
import { activityOf } from '../domain/roll-ups/repeated-activity.ts';
import type { ShopDays } from '../domain/roll-ups/shop-days.ts';
import type { FactStore, NewFact } from './fact-store.ts';

/** How many facts are taken from the queue and stored together. */
export const factsAtOnce = 500;

/**
 * A message from the queue of facts: a fact, or the time of a heartbeat. Everything published before a heartbeat
 * arrives before the heartbeat.
 */
type Incoming = { readonly fact: NewFact } | { readonly heartbeat: Date };

/** Reports need a fact within seconds, and storing a few facts costs nearly as much as storing many. */
const gatherMs = 100;

/** For how many users and quarters of an hour it is remembered that the user's activity is stored. */
const remembered = 10_000;

/** Stores facts that arrive at the same time in one write. */
export interface FactIntake {
  /** Does not store a fact that adds nothing to any report. */
  add(fact: NewFact): Promise<void>;
  /** Calls `onHeartbeat` once everything that arrived before is stored. */
  noteHeartbeat(time: Date): Promise<void>;
}

export function batchFacts(
  facts: Pick<FactStore, 'add'>,
  shopDays: Pick<ShopDays, 'quarterOf'>,
  onHeartbeat: (heartbeat: Date) => Promise<void>,
): FactIntake {
  const addWithoutRepeats = withoutRepeats(facts, shopDays);
  const store = batch<Incoming, null>({
    // One write after the other, so that a heartbeat never overtakes the facts before it.
    concurrency: 1,
    atMost: factsAtOnce,
    pauseMs: gatherMs,
    async work(incoming) {
      await addWithoutRepeats(incoming.flatMap((each) => ('fact' in each ? each.fact : [])));
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

/**
 * Leaves out facts which say only that a user was active, if a fact that says so is stored already. What is stored is
 * remembered in memory alone: after a restart, or by another instance, such a fact is stored once more, which changes
 * no report.
 */
function withoutRepeats(
  facts: Pick<FactStore, 'add'>,
  shopDays: Pick<ShopDays, 'quarterOf'>,
): (added: readonly NewFact[]) => Promise<void> {
  const stored = new LRUCache<string, true>({ max: remembered });
  return async (added) => {
    const activities = new Map<string, NewFact>();
    const others: NewFact[] = [];
    for (const fact of added) {
      const activity = activityOf(fact, shopDays);
      if (activity === null) others.push(fact);
      else if (!stored.has(activity)) activities.set(activity, fact);
    }
    const left = [...others, ...activities.values()];
    if (left.length > 0) await facts.add(left);
    for (const activity of activities.keys()) stored.set(activity, true);
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
