import { load } from '../load/load.ts';
import type { LoadRequest, LoadResult } from '../load/plan.ts';
import type { CpuTimes, ProcessGroup } from '../report.ts';

/** A load to measure. */
export interface MeasuredLoad {
  readonly url: string;
  /** The requests of each client. */
  readonly clients: readonly LoadRequest[][];
  /** How many requests count as one. */
  readonly requestsPerUnit: number;
  /** The CPU seconds used so far. */
  readonly cpuNow: () => CpuTimes;
}

export interface LoadFigures extends Pick<LoadResult, 'p50' | 'p99'> {
  readonly perSecond: number;
  /** CPU seconds per 1,000. */
  readonly cpu: CpuTimes;
}

interface Interval extends LoadResult {
  readonly cpu: CpuTimes;
}

// Long enough for V8 to compile the code of every process.
const warmUpSeconds = 3;

/**
 * Runs each load for `seconds` and measures the CPU time. The loads alternate in intervals of about a second, so that
 * other programs on the machine affect all of them alike. The percentiles are the medians over the intervals.
 */
export async function measureLoads<const Loads extends readonly MeasuredLoad[]>(
  loads: Loads,
  seconds: number,
): Promise<{ [Place in keyof Loads]: LoadFigures }> {
  const measured = loads.map((each) => ({ load: each, intervals: [] as Interval[] }));
  for (const { url, clients } of loads) await load({ url, seconds: warmUpSeconds, clients });
  const count = Math.ceil(seconds);
  for (let at = 0; at < count; at += 1)
    for (const each of at % 2 === 0 ? measured : measured.toReversed())
      each.intervals.push(await measureInterval(each.load, seconds / count));
  return measured.map((each) => figuresOf(each.load, each.intervals)) as { [Place in keyof Loads]: LoadFigures };
}

async function measureInterval({ url, clients, cpuNow }: MeasuredLoad, seconds: number): Promise<Interval> {
  const before = cpuNow();
  const result = await load({ url, seconds, clients });
  const after = Object.entries(cpuNow()) as [ProcessGroup, number][];
  return { ...result, cpu: Object.fromEntries(after.map(([group, used]) => [group, used - (before[group] ?? 0)])) };
}

function figuresOf({ requestsPerUnit }: MeasuredLoad, intervals: readonly Interval[]): LoadFigures {
  const sum = (figure: (interval: Interval) => number) => intervals.reduce((total, each) => total + figure(each), 0);
  const done = sum(({ requests }) => requests) / requestsPerUnit;
  const groups = Object.keys(intervals[0]?.cpu ?? {}) as ProcessGroup[];
  return {
    perSecond: done / sum(({ seconds }) => seconds),
    p50: median(intervals.map(({ p50 }) => p50)),
    p99: median(intervals.map(({ p99 }) => p99)),
    cpu: Object.fromEntries(groups.map((group) => [group, (sum(({ cpu }) => cpu[group] ?? 0) / done) * 1000])),
  };
}

function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
