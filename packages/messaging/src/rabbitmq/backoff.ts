const shortestMs = 100;
const longestMs = 2_000;
/**
 * The bus promises to be connected within 5 s of a broker's return. At worst one attempt to connect has just begun and
 * gets no answer, and one longest wait follows: together they stay within 5 s.
 */
export const connectTimeoutMs = 3_000;

/** How many milliseconds to wait before the next try after `failures` failed ones: exponential, with jitter. */
export function backoff(failures: number, random = Math.random): number {
  const cap = Math.min(longestMs, shortestMs * 2 ** failures);
  return Math.round(shortestMs + random() * (cap - shortestMs));
}
