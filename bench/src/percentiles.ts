import type { LoadResult } from './load/plan.ts';

/** The median and the 99th percentile. */
export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? Number.NaN;
}

/** The lower quartile of each figure of several rounds. */
export function lowerQuartiles(results: readonly LoadResult[]): { perSecond: number; p50: number; p99: number } {
  return {
    perSecond: 1 / lowerQuartile(results.map(({ requests, seconds }) => seconds / requests)),
    p50: lowerQuartile(results.map(({ p50 }) => p50)),
    p99: lowerQuartile(results.map(({ p99 }) => p99)),
  };
}
