const firstMs = 200;
const longestMs = 5000;
const stableMs = 10_000;

export interface BackOff {
  /** Must be called at each start of the process. */
  started(): void;
  /** The milliseconds to wait before the next start. */
  next(): number;
}

/**
 * Delays the restarts of a process: 0.2 s at first, doubled each time up to 5 s, and 0.2 s again after the process has
 * run for 10 s.
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
