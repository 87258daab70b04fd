import type { JobHolders } from '@storefront/mongo';
import { firstBatch } from '../domain/roll-ups/batch-size.ts';
import { rebuildRange, type DayRange } from '../domain/roll-ups/rebuild-range.ts';
import type { DayIndex } from '../domain/roll-ups/shop-days.ts';
import type { FactCounting } from '../store/roll-ups/count-batch.ts';
import type { RebuildingDays } from '../store/roll-ups/rebuild-days.ts';

export interface RebuildNeeds {
  readonly jobHolders: Pick<JobHolders, 'seize'>;
  readonly counting: FactCounting;
  readonly rebuilding: RebuildingDays;
  readonly now: () => Date;
}

export interface Rebuild {
  /** The days to make again, as far as their facts are kept; all of them where nothing is given. */
  readonly asked: Partial<DayRange>;
  /** Called after each day. `next` is the first day that is not made again yet. */
  readonly onProgress: (progress: DayRange & { readonly next: DayIndex }) => void;
  /** Ends it after the day under way. */
  readonly signal: AbortSignal;
}

/**
 * Makes the sums of days again from their facts, day by day. Reports go on answering, and new facts are counted between the days. Broken
 * off, it goes on with the same days when it is called again. Returns which days were to be made, and the first that is not. Throws where
 * another process has taken over, with nothing half done.
 */
export async function rebuildReports(
  { jobHolders, counting, rebuilding, now }: RebuildNeeds,
  { asked, onProgress, signal }: Rebuild,
): Promise<DayRange & { readonly next: DayIndex }> {
  // Who counts on a running instance stops at once, and goes on when this process has ended.
  await jobHolders.seize(counting.job);
  const begun = await rebuilding.begun();
  const range = begun?.asked.from === asked.from && begun?.asked.to === asked.to ? begun : null;
  const { from, to } = range ?? rebuildRange(await rebuilding.kept(), asked, now());
  let next = range?.next ?? from;
  while (next < to && !signal.aborted) {
    await countAll(counting, signal);
    await rebuilding.rebuild(next);
    next += 1;
    await rebuilding.note({ asked, from, to, next });
    onProgress({ from, to, next });
  }
  if (next >= to) await rebuilding.finish();
  return { from, to, next };
}

async function countAll(counting: FactCounting, signal: AbortSignal): Promise<void> {
  for (;;) {
    const counted = await counting.countBatch(firstBatch);
    if (counted === null) throw new Error('another process has begun to rebuild the reports, or this one was halted');
    if (counted < firstBatch || signal.aborted) return;
  }
}
