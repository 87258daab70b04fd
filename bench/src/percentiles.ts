/** The median and the 99th percentile. */
export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
