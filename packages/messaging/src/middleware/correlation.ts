import { AsyncLocalStorage } from 'node:async_hooks';
import type { Cause } from '@storefront/contracts';

const storage = new AsyncLocalStorage<Cause>();

/** Runs `work`. Events that are recorded during `work` carry the request id and the trace of `cause`. */
export function runWithCause<Result>(cause: Cause, work: () => Result): Result {
  return storage.run(cause, work);
}

/** Returns the cause of the running work: a request, or the event that is being handled. */
export function currentCause(): Cause | undefined {
  return storage.getStore();
}
