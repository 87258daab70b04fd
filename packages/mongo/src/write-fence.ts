import { AsyncLocalStorage } from 'node:async_hooks';

/** Another attempt may have taken over this work meanwhile; nothing was written. */
export class WriteFencedError extends Error {
  override readonly name = 'WriteFencedError';
}

const fences = new AsyncLocalStorage<() => boolean>();

/**
 * Runs `work`. Once `mayWrite` returns false, changes in repositories fail with `WriteFencedError`. This applies until
 * `work` has ended: background work that it started may write after that. Reads are not fenced, and neither are direct
 * writes with the driver's collections.
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

/**
 * Throws `WriteFencedError` if the running work may no longer write. Call this right before a write, so that no pause
 * comes between the check and the write.
 */
export function assertMayWrite(): void {
  if (fences.getStore()?.() === false) throw new WriteFencedError('another attempt may have taken over meanwhile');
}
