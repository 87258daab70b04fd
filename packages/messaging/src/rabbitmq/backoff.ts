const shortestMs = 100;
const longestMs = 2_000;
/**
 * The bus promises to be connected within 5 s after the broker is back. In the worst case one attempt to connect times
 * out and one longest wait follows: together they take at most 5 s.
 */
export const connectTimeoutMs = 3_000;

/** Returns how many milliseconds to wait after `failures` failed tries: exponential, with jitter. */
export function backoff(failures: number, random = Math.random): number {
  const cap = Math.min(longestMs, shortestMs * 2 ** failures);
  return Math.round(shortestMs + random() * (cap - shortestMs));
}
