import type { JobHolders } from '@storefront/mongo';
import { firstBatch } from '../domain/roll-ups/batch-size.ts';
import { rebuildRange } from '../domain/roll-ups/rebuild-range.ts';
import { dateOf, dayIndexOf, type DayIndex } from '../domain/roll-ups/shop-days.ts';
import type { FactCounting } from '../store/roll-ups/count-batch.ts';
import type { RebuildingDays } from '../store/roll-ups/rebuild-days.ts';

export interface RebuildNeeds {
  readonly jobHolders: Pick<JobHolders, 'seize'>;
  readonly counting: FactCounting;
  readonly rebuilding: RebuildingDays;
  readonly now: () => Date;
}

/** The progress of a rebuild: the date of the last rebuilt day, how many days are rebuilt, and how many there are. */
export interface RebuildProgress {
  readonly day: string;
  readonly done: number;
  readonly days: number;
}

export interface RebuildOptions {
  /**
   * The dates to rebuild, without `to` itself. Days whose facts are no longer kept are left out. By default all days
   * are rebuilt.
   */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Called after each day. */
  readonly onProgress: (progress: RebuildProgress) => void;
  /** Ends the rebuild after the current day. */
  readonly signal: AbortSignal;
}

/** The first and the last date of a rebuild, how many days it has, and how many of them are rebuilt. */
export interface RebuiltDays {
  readonly first: string;
  readonly last: string;
  readonly days: number;
  readonly done: number;
}

/**
 * Makes the sums of days again from their facts, day by day. Reports can still be read, and new facts are counted
 * between the days. A rebuild that was interrupted continues when this function is called again with the same dates.
 * Returns null where there is no day to rebuild. Throws where another process has taken over; each day is then either
 * rebuilt completely or unchanged.
 */
export async function rebuildReports(
  { jobHolders, counting, rebuilding, now }: RebuildNeeds,
  { from: first, to: end, onProgress, signal }: RebuildOptions,
): Promise<RebuiltDays | null> {
  const requested = { ...given('from', first), ...given('to', end) };
  // An instance of the service that is counting stops at once. It continues when this process has ended.
  await jobHolders.seize(counting.job);
  const begun = await rebuilding.begun();
  const range = begun?.requested.from === requested.from && begun?.requested.to === requested.to ? begun : null;
  const { from, to } = range ?? rebuildRange(await rebuilding.kept(), requested, now());
  const days = to - from;
  let next = range?.next ?? from;
  while (next < to && !signal.aborted) {
    await countAll(counting, signal);
    await rebuilding.rebuild(next);
    next += 1;
    await rebuilding.note({ requested, from, to, next });
    onProgress({ day: dateOf(next - 1), done: next - from, days });
  }
  if (next >= to) await rebuilding.finish();
  return days === 0 ? null : { first: dateOf(from), last: dateOf(to - 1), days, done: next - from };
}

function given<Name extends 'from' | 'to'>(name: Name, date: string | undefined): { [Each in Name]?: DayIndex } {
  const day = date === undefined ? null : dayIndexOf(date);
  return day === null ? {} : ({ [name]: day } as { [Each in Name]?: DayIndex });
}

async function countAll(counting: FactCounting, signal: AbortSignal): Promise<void> {
  for (;;) {
    const counted = await counting.countBatch(firstBatch);
    if (counted === null) throw new Error('another process has begun to rebuild the reports, or this one was halted');
    if (counted < firstBatch || signal.aborted) return;
  }
}
