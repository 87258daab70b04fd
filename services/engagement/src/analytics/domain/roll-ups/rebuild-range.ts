import type { DayIndex } from './shop-days.ts';

/** Days from `from` on and before `to`. */
export interface DayRange {
  readonly from: DayIndex;
  readonly to: DayIndex;
}

/** What there is to make sums of again. */
export interface Kept {
  /** The fact of the earliest moment, if there is any. */
  readonly firstFact: { readonly day: DayIndex; readonly keptUntil: Date } | null;
  /** All facts since this day are kept by the present settings, but those of the day itself. */
  readonly keptSince: DayIndex;
  /** The last day that has a fact, or sums. */
  readonly lastDay: DayIndex | null;
}

const soonMs = 2 * 24 * 60 * 60 * 1000;

/**
 * The days of which no fact is gone, nor goes while they are made again: what days before them have stays as it is. No more than
 * what is requested.
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
