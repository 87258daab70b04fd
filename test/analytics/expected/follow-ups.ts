import type { Happened, What } from './happened.ts';

const dayMs = 24 * 60 * 60_000;
const never = Number.POSITIVE_INFINITY;

/** What came of something that a person did: found by looking at everything that the person did. */
export interface FollowUps {
  /** Whether the person of this order had ordered before. */
  readonly isReturning: (order: Happened) => boolean;
  /** Whether the person ordered the same product after it, within so many days. */
  readonly isOrdered: (interest: Happened, days: number) => boolean;
  /** How many of the steps came after the start, each after the one before, within so many days. */
  stepsAfter(start: Happened, steps: readonly What[], days: number): number;
}

export function followUpsOf(all: readonly Happened[]): FollowUps {
  const byPerson = new Map<string, Map<What, Happened[]>>();
  for (const each of all) {
    if (each.who === null) continue;
    const person = byPerson.get(each.who) ?? new Map<What, Happened[]>();
    byPerson.set(each.who, person);
    person.set(each.what, [...(person.get(each.what) ?? []), each]);
  }
  const of = (who: string | null, what: What) => (who === null ? [] : (byPerson.get(who)?.get(what) ?? []));

  return {
    isReturning: (order) =>
      of(order.who, 'ordered').some(({ at, id }) => at < order.at || (at === order.at && id < order.id)),
    isOrdered: (interest, days) =>
      of(interest.who, 'ordered product').some(
        (order) => order.of === interest.of && order.at >= interest.at && order.at <= interest.at + days * dayMs,
      ),
    stepsAfter(start, steps, days) {
      let [taken, after] = [0, start.at];
      for (const step of steps) {
        const times = of(start.who, step).map(({ at }) => at);
        after = Math.min(never, ...times.filter((at) => at >= after && at <= start.at + days * dayMs));
        if (after === never) return taken;
        taken += 1;
      }
      return taken;
    },
  };
}
