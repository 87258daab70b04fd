import { AsyncLocalStorage } from 'node:async_hooks';
import type { Cause } from '@storefront/contracts';

const storage = new AsyncLocalStorage<Cause>();

/** Runs `work` so that events recorded inside it carry the request id and trace of what caused them. */
export function runWithCause<Result>(cause: Cause, work: () => Result): Result {
  return storage.run(cause, work);
}

/** What caused the work that is under way: a request, or the event being handled. */
export function currentCause(): Cause | undefined {
  return storage.getStore();
}
