import { AsyncLocalStorage } from 'node:async_hooks';

/** What the work has taken may be another's by now: nothing was written. */
export class WriteFencedError extends Error {
  override readonly name = 'WriteFencedError';
}

const fences = new AsyncLocalStorage<() => boolean>();

/**
 * Runs `work`. Once `mayWrite` returns false, what it changes in repositories fails with `WriteFencedError`, until it has ended:
 * what it has set going in the background is free then. Reads go on, and so do writes of the driver's own collections.
 */
export async function whileItMayWrite<Result>(
  mayWrite: () => boolean,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  let hasEnded = false;
  try {
    return await fences.run(() => hasEnded || mayWrite(), work);
  } finally {
    hasEnded = true;
  }
}

/** Throws where the work under way may write no more. To be called right before a write, so that no halt comes between. */
export function assertMayWrite(): void {
  if (fences.getStore()?.() === false) throw new WriteFencedError('another attempt may have taken over meanwhile');
}
