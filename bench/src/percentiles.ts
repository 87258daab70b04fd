import type { LoadResult } from './load/plan.ts';

/** The median and the 99th percentile. */
export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** The lower quartile of each figure of several rounds. */
export function lowerQuartiles(results: readonly LoadResult[]): { perSecond: number; p50: number; p99: number } {
  const quartile = (figures: number[]) => figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 4)];
  return {
    perSecond: 1 / (quartile(results.map(({ requests, seconds }) => seconds / requests)) ?? Number.NaN),
    p50: quartile(results.map(({ p50 }) => p50)) ?? Number.NaN,
    p99: quartile(results.map(({ p99 }) => p99)) ?? Number.NaN,
  };
}
