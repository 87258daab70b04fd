const shortest = 100;
/**
 * Reconnecting within 5 s of a broker's return is a promise, so the wait is capped far below what is usual: at worst a
 * connection attempt has just begun into silence (given up after `connectTimeoutMs`) and one whole wait follows it.
 */
const longest = 2_000;
export const connectTimeoutMs = 3_000;

/** How long to wait, in milliseconds, before the try after `failures` failed ones: full jitter under a growing cap. */
export function backoff(failures: number, random = Math.random): number {
  const cap = Math.min(longest, shortest * 2 ** failures);
  return Math.round(shortest + random() * (cap - shortest));
}
