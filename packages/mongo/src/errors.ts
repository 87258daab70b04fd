import { commonErrors } from '@storefront/contracts';
import type { Refusal } from '@storefront/contracts';
import mongoose from 'mongoose';

/** A change was overtaken by others until it gave up; nothing was written. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

// ShutdownInProgress, PrimarySteppedDown, InterruptedAtShutdown, InterruptedDueToReplStateChange.
const shuttingDown = new Set([91, 189, 11_600, 11_602]);

/** Whether MongoDB could not be reached, or its primary is changing: the request may be tried again. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof mongoose.mongo.MongoServerError) {
    return (
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('TransientTransactionError') ||
      shuttingDown.has(Number(error.code))
    );
  }
  return (
    error instanceof mongoose.mongo.MongoNetworkError ||
    error instanceof mongoose.mongo.MongoServerSelectionError ||
    error instanceof mongoose.mongo.MongoNotConnectedError ||
    error instanceof mongoose.mongo.MongoTopologyClosedError ||
    error instanceof mongoose.mongo.MongoOperationTimeoutError ||
    error instanceof mongoose.mongo.MongoExpiredSessionError ||
    // The driver passes on a socket's write error as it is.
    (error instanceof Error && 'syscall' in error && error.syscall === 'write') ||
    // The driver does not export its pool errors; they have these names.
    (error instanceof Error && /^Mongo(PoolClosed|PoolCleared|WaitQueueTimeout)/.test(error.name)) ||
    (error instanceof mongoose.MongooseError && error.message.includes('bufferCommands'))
  );
}

/** Whether a unique index, or the id's own, refused the write. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;
}

/** How an HTTP server answers an error of the database; undefined where the error is another one. */
export function databaseRefusal(error: unknown): Refusal | undefined {
  if (isDatabaseAway(error)) return commonErrors.databaseUnavailable().with({ retryAfterSeconds: 1 });
  if (error instanceof ConflictError) return commonErrors.tooManyChanges().with({ retryAfterSeconds: 1 });
  return undefined;
}
