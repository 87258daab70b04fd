import { AsyncLocalStorage } from 'node:async_hooks';

/** Another attempt may hold by now what this work had taken: nothing was written. */
export class WriteFencedError extends Error {
  override readonly name = 'WriteFencedError';
}

const fences = new AsyncLocalStorage<() => boolean>();

/**
 * Runs `work`. Once `mayWrite` returns false, its changes in repositories fail with `WriteFencedError`, until it has
 * ended: what it has started in the background may write after that. Reads are not fenced, nor are writes of the
 * driver's own collections.
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

/** Throws where the work under way may write no more. To be called right before a write, so that no pause comes in between. */
export function assertMayWrite(): void {
  if (fences.getStore()?.() === false) throw new WriteFencedError('another attempt may have taken over meanwhile');
}
