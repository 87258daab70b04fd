const [fewest, most] = [25, 2000];
const [shortMs, longMs] = [500, 2000];

/** How many facts the first batch has. */
export const firstBatch = most;

/**
 * Returns the size of the next batch from the size of the last one and how long it took, in milliseconds. `tookMs` is
 * Infinity where the batch failed. A smaller batch is more likely to end within MongoDB's time limit for a transaction.
 */
export function adaptBatch(size: number, tookMs: number): number {
  if (tookMs > longMs) return Math.max(fewest, Math.floor(size / 2));
  return tookMs < shortMs ? Math.min(most, size * 2) : size;
}
