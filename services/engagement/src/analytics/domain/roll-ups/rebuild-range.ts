import type { DayIndex } from './shop-days.ts';

/** The days from `from` on and before `to`. */
export interface DayRange {
  readonly from: DayIndex;
  readonly to: DayIndex;
}

/** The facts and sums that are still kept. */
export interface Kept {
  /** The fact with the earliest moment, or null where there are no facts. */
  readonly firstFact: { readonly day: DayIndex; readonly keptUntil: Date } | null;
  /** The present settings keep all facts after this day. Some facts of this day itself may be gone. */
  readonly keptSince: DayIndex;
  /** The last day that has a fact or a sum. null where there is none. */
  readonly lastDay: DayIndex | null;
}

const soonMs = 2 * 24 * 60 * 60 * 1000;

/**
 * The days that can be rebuilt: no fact of these days is gone, and none expires during the rebuild. Earlier days keep
 * their sums unchanged. The result is never more than the requested days.
 */
export function rebuildRange(
  { firstFact, keptSince, lastDay }: Kept,
  requested: Partial<DayRange>,
  now: Date,
): DayRange {
  const end = (lastDay ?? keptSince) + 1;
  const isWhole = firstFact !== null && firstFact.keptUntil.getTime() > now.getTime() + soonMs;
  const first = firstFact === null ? end : Math.max(isWhole ? firstFact.day : firstFact.day + 2, keptSince + 2);
  const from = Math.max(first, requested.from ?? first);
  return { from, to: Math.max(from, Math.min(end, requested.to ?? end)) };
}
