const firstMs = 200;
const longestMs = 5000;
const stableMs = 10_000;

export interface BackOff {
  /** Must be called at each start of the process. */
  started(): void;
  /** Returns how many milliseconds to wait before the next start. */
  next(): number;
}

/**
 * Computes the delays between restarts of a process. The first delay is 0.2 s. Each next delay is twice as long, up to
 * 5 s. After the process has run for 10 s, the delay is 0.2 s again.
 */
export function createBackOff(now: () => number = () => performance.now()): BackOff {
  let delay = firstMs;
  let startedAt = 0;
  return {
    started() {
      startedAt = now();
    },
    next() {
      if (now() - startedAt >= stableMs) delay = firstMs;
      const current = delay;
      delay = Math.min(delay * 2, longestMs);
      return current;
    },
  };
}
