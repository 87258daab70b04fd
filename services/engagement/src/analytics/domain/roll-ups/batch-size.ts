const [fewest, most] = [25, 2000];
const [shortMs, longMs] = [500, 2000];

/** How many facts are counted together at first. */
export const firstBatch = most;

/** How many to count together after so many took so long; Infinity where that failed. Fewer take less of MongoDB's time for a transaction. */
export function adaptBatch(size: number, tookMs: number): number {
  if (tookMs > longMs) return Math.max(fewest, Math.floor(size / 2));
  return tookMs < shortMs ? Math.min(most, size * 2) : size;
}
