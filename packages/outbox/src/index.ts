export { createAggregates, ConflictError } from './record.ts';
export type { Aggregates, Decision } from './record.ts';
export type { Stored } from './stored.ts';
export { changed, deleted, unchanged } from './decision.ts';
export { createRelay } from './relay.ts';
export type { OutboxStatus, Relay } from './relay.ts';
export { inTransaction } from './transaction.ts';
export type { Transaction } from './transaction.ts';
