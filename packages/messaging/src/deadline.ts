import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when the work has succeeded or failed, or after `ms` milliseconds, whichever comes first. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([Promise.allSettled([work]), wait(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
