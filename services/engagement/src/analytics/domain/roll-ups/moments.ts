import { countsOf, laterCountsOf } from '../facts/kinds.ts';
import type { Count } from '../facts/count.ts';
import type { Fact } from '../facts/fact.ts';
import { dayIndexOf, type DayIndex, type Quarter, type ShopDays } from './shop-days.ts';

/** A quarter of an hour, and what a fact counts for then. */
export interface Moment {
  readonly at: Quarter;
  readonly counts: readonly Count[];
}

/** All moments at which a fact counts: the moment when it happened, and the later days. */
export function momentsOf(fact: Fact, shopDays: ShopDays): readonly Moment[] {
  const at = shopDays.quarterOf(fact.at);
  const later = laterCountsOf(fact).map(({ from, counts }) => ({ at: laterOf(at, dayIndexOf(from)), counts }));
  return [{ at, counts: countsOf(fact) }, ...later];
}

function laterOf(at: Quarter, day: DayIndex | null): Quarter {
  return day !== null && day > at.day ? { day, quarter: 0 } : at;
}
