import { commonErrors, type Refusal } from '@storefront/contracts';
import mongoose from 'mongoose';
import { WriteFencedError } from './write-fence.ts';

/** Other changes came first too often; nothing was written. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** A document that a transaction has changed without reading it was another one: the driver begins the transaction again. */
export class OutOfDateError extends mongoose.mongo.MongoError {
  override get name(): string {
    return 'OutOfDateError';
  }

  constructor() {
    super('a document has changed since it was remembered');
    this.addErrorLabel('TransientTransactionError');
  }
}

/** A document exceeds MongoDB's size limit; nothing was written. */
export class DocumentTooLargeError extends Error {
  override readonly name = 'DocumentTooLargeError';
}

const documentValidationFailure = 121;
// BSONObjectTooLarge, and the codes that MongoDB uses when an update makes a document too large.
const tooLarge = new Set([10_334, 17_419, 17_420]);
// The size of the driver's write buffer in bytes. A larger document makes Node throw an error with this text.
const driverBuffer = '<= 17825792';

// The codes of MaxTimeMSExpired, ShutdownInProgress, PrimarySteppedDown, InterruptedAtShutdown and
// InterruptedDueToReplStateChange.
const unavailable = new Set([50, 91, 189, 11_600, 11_602]);

/**
 * Whether MongoDB could not be reached, did not answer in time, or is changing its primary. The request may be tried
 * again.
 */
export function isDatabaseAway(thrown: unknown): boolean {
  const error = reasonOf(thrown);
  if (error instanceof mongoose.mongo.MongoServerError) {
    return (
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('TransientTransactionError') ||
      unavailable.has(Number(error.code))
    );
  }
  return (
    error instanceof mongoose.mongo.MongoNetworkError ||
    error instanceof mongoose.mongo.MongoServerSelectionError ||
    error instanceof mongoose.mongo.MongoNotConnectedError ||
    error instanceof mongoose.mongo.MongoTopologyClosedError ||
    error instanceof mongoose.mongo.MongoOperationTimeoutError ||
    error instanceof mongoose.mongo.MongoExpiredSessionError ||
    // A driver without this repository's patch passes on a socket's write error unchanged.
    (error instanceof Error && 'syscall' in error && error.syscall === 'write') ||
    // Checked by name, because the driver does not export its pool errors.
    (error instanceof Error && /^Mongo(PoolClosed|PoolCleared|WaitQueueTimeout)/.test(error.name)) ||
    (error instanceof mongoose.MongooseError && error.message.includes('bufferCommands'))
  );
}

/** Returns the network error inside a bulk write error, or the error itself if there is none. */
export function reasonOf(error: unknown): unknown {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return error;
  const reason: unknown = error.errorResponse;
  return reason instanceof Error ? reason : error;
}

/** Whether a unique index, including the index of the id, refused the write. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;
}

/** The place of the write of a bulk that a unique index has refused; null for every other error. */
export function duplicatePlace(error: unknown): number | null {
  if (!isDuplicate(error) || !(error instanceof mongoose.mongo.MongoBulkWriteError)) return null;
  return [error.writeErrors].flat()[0]?.index ?? null;
}

/**
 * Whether a document's outbox had no room for the events of the write; nothing was written. The write may be tried
 * again when some events have been published.
 */
export function isOutboxFull(error: unknown): boolean {
  // Collections have no other validation rule than the one for outboxes.
  return error instanceof mongoose.mongo.MongoServerError && error.code === documentValidationFailure;
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof DocumentTooLargeError ||
    (error instanceof mongoose.mongo.MongoServerError && tooLarge.has(Number(error.code))) ||
    (error instanceof RangeError && error.message.includes(driverBuffer)) ||
    (error instanceof mongoose.mongo.MongoInvalidArgumentError &&
      error.message.includes('larger than the maximum size'))
  );
}

/** Returns the HTTP refusal for an error of the database; undefined for any other error. */
export function databaseRefusal(error: unknown): Refusal | undefined {
  if (isDatabaseAway(error) || error instanceof WriteFencedError)
    return commonErrors.databaseUnavailable().with({ retryAfterSeconds: 1 });
  if (isOutboxFull(error)) return commonErrors.outboxFull();
  if (isTooLarge(error)) return commonErrors.documentTooLarge();
  if (error instanceof ConflictError) return commonErrors.tooManyChanges().with({ retryAfterSeconds: 1 });
  return undefined;
}
