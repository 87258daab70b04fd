import { load } from '../load/load.ts';
import type { LoadResult, Request } from '../load/plan.ts';
import type { Share } from '../report.ts';

export interface Measured extends Pick<LoadResult, 'p50' | 'p99'> {
  readonly perSecond: number;
  /** CPU seconds for 1,000. */
  readonly cpu: Partial<Record<Share, number>>;
}

// Enough for every process to have compiled what it runs.
const warmUpSeconds = 3;

/**
 * Loads `url` for so long and takes the CPU time meanwhile: `cpuNow` tells what was used so far. `length` requests make one
 * of what is measured.
 */
export async function measureLoad(
  target: { readonly url: string; readonly clients: readonly Request[][]; readonly length: number },
  seconds: number,
  cpuNow: () => Partial<Record<Share, number>>,
): Promise<Measured> {
  const { url, clients, length } = target;
  await load({ url, seconds: warmUpSeconds, clients });
  const before = cpuNow();
  const result = await load({ url, seconds, clients });
  const after = cpuNow();
  const done = result.requests / length;
  const shares = Object.keys(after) as Share[];
  const cpu = Object.fromEntries(
    shares.map((share) => [share, (((after[share] ?? 0) - (before[share] ?? 0)) / done) * 1000]),
  );
  return { perSecond: done / result.seconds, p50: result.p50, p99: result.p99, cpu };
}
