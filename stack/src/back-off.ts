const firstMs = 200;
const longestMs = 5000;
const steadyMs = 10_000;

/** How long to wait before a process is started again: 0.2 s, doubled up to 5 s; from the start again once it ran for 10 s. */
export function createBackOff(now: () => number = () => performance.now()): { started(): void; next(): number } {
  let delay = firstMs;
  let startedAt = 0;
  return {
    started() {
      startedAt = now();
    },
    next() {
      if (now() - startedAt >= steadyMs) delay = firstMs;
      const waits = delay;
      delay = Math.min(delay * 2, longestMs);
      return waits;
    },
  };
}
