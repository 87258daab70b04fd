export { openAuditNotes, type AuditNotes } from './audit-notes.ts';
export { batch } from './batch.ts';
export { batchReads, batchReadsOfMany } from './batch-reads.ts';
export { defineBudgets, openBudgets, type Budgets } from './budgets.ts';
export { FeedLostError, openChangeFeed, type ChangedDocument, type ChangeFeed } from './change-feed.ts';
export { checkStoredDocuments } from './check-documents.ts';
export { collectionOf, countByIndex, openCollections, type Collection, type Filter } from './collections.ts';
export { checkDatabase, openDatabase, type Database } from './database.ts';
export {
  defineCollection,
  pendingIndex,
  type CollectionDefinition,
  type DocumentOf,
  type IndexOf,
} from './define-collection.ts';
export { ConflictError, databaseRefusal, isDatabaseAway, duplicatePlace, isDuplicate, isOutboxFull } from './errors.ts';
export { erasedAt, erasedKeyOf, erasedUsers, openErasedUsers, type ErasedUsers } from './erased-users.ts';
export { versioned, withEvents } from './fields.ts';
export { openIdempotencyKeys } from './idempotency-keys.ts';
export { deployDatabaseUsers, type DatabaseUser, type DatabaseUserStep } from './deploy-users.ts';
export { insertNew } from './insert-new.ts';
export { jobHolders, JobLostError, openJobHolders, type JobHolders } from './job-holders.ts';
export { openLease, type Lease, type LeaseOptions } from './leases.ts';
export { openRepository, type RepositoryNeeds } from './open-repository.ts';
export { after, readPage, toPage, withId, type Order, type PageQuery } from './paging.ts';
export { rememberReads } from './remember-reads.ts';
export { createOutbox } from './outbox.ts';
export { createRelay, noRelay, notingWrites, type OutboxStatus, type Relay, type RelayOfWrites } from './relay.ts';
export type { Decide, Loaded, NewDocument, ReadOptions, Repository } from './repository.ts';
export { servedCollections } from './served-collections.ts';
export { byId } from './sharding.ts';
export { openStepBatches, type InContext } from './step-batches.ts';
export { living, type Stored, type StoredAs } from './stored.ts';
export { inTransaction, inTransactionOfNew, type Transaction } from './transaction.ts';
export { openTurns } from './turns.ts';
export { readUpToDate } from './up-to-date.ts';
export { planWordSearch } from './word-search.ts';
