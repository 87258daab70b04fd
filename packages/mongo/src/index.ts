export { openAuditNotes } from './audit-notes.ts';
export type { AuditNotes } from './audit-notes.ts';
export { batch } from './batch.ts';
export { batchReads, batchReadsOfMany } from './batch-reads.ts';
export { checkStoredDocuments } from './check-documents.ts';
export { collectionOf, countByIndex, openCollections } from './collections.ts';
export type { Collection, Filter } from './collections.ts';
export { checkDatabase, openDatabase } from './database.ts';
export type { Database } from './database.ts';
export { defineCollection, pendingIndex } from './define-collection.ts';
export type { CollectionDefinition, DocumentOf, IndexOf } from './define-collection.ts';
export { ConflictError, databaseRefusal, isDatabaseAway, isDuplicate, isOutboxFull } from './errors.ts';
export { erasedAt, erasedKeyOf, erasedUsers, openErasedUsers } from './erased-users.ts';
export type { ErasedUsers } from './erased-users.ts';
export {
  arrayOf,
  boolean,
  date,
  integer,
  mixed,
  number,
  object,
  oneOf,
  optional,
  orNull,
  recordOf,
  text,
  versioned,
  withEvents,
} from './fields.ts';
export type { Field, ObjectOf, OptionalField } from './fields.ts';
export { openIdempotencyKeys } from './idempotency-keys.ts';
export { deployDatabaseUsers } from './deploy-users.ts';
export type { DatabaseUser, DatabaseUserStep } from './deploy-users.ts';
export { insertNew } from './insert-new.ts';
export { jobHolders, JobLostError, openJobHolders } from './job-holders.ts';
export type { JobHolders } from './job-holders.ts';
export { openLease } from './leases.ts';
export type { Lease, LeaseOptions } from './leases.ts';
export { openRepository } from './open-repository.ts';
export type { RepositoryNeeds } from './open-repository.ts';
export { after, readPage, toPage, withId } from './paging.ts';
export type { Order, PageQuery } from './paging.ts';
export { rememberReads } from './remember-reads.ts';
export { createOutbox } from './outbox.ts';
export { createRelay, noRelay } from './relay.ts';
export type { OutboxStatus, Relay, RelayOfWrites } from './relay.ts';
export type { InContextOf, Loaded, NewDocument, ReadOptions, Repository } from './repository.ts';
export { servedCollections } from './served-collections.ts';
export { byId } from './sharding.ts';
export { openStepBatches } from './step-batches.ts';
export type { InContext } from './step-batches.ts';
export { living } from './stored.ts';
export type { Stored, StoredAs } from './stored.ts';
export { inTransaction } from './transaction.ts';
export type { Transaction } from './transaction.ts';
export { readUpToDate } from './up-to-date.ts';
