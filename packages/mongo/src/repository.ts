import type { Decision, Fact, PageOf, Slice } from '@storefront/contracts';
import type { Collection, Filter } from './collections.ts';
import type { Order } from './paging.ts';
import type { StoredAs } from './stored.ts';
import type { Transaction } from './transaction.ts';

/** A state and its version. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
}

/** A document to insert, with the facts to publish about it. */
export interface NewDocument<State> {
  readonly state: State;
  readonly facts: readonly Fact[];
  /** The sequence of its events; 1, the document's version, where none is given. */
  readonly sequence?: number;
}

type Decide<State, Result> = (current: State | null, version: number) => Decision<State, Result>;

type FieldOf<State> = State extends unknown ? Exclude<keyof State, 'id'> : never;
type Part<State, Fields, Without> = State extends unknown
  ? Pick<State, Extract<keyof State, 'id' | Exclude<Fields, Without>>>
  : never;

/** How to read, and which fields; all where neither `fields` nor `without` is given. */
export interface ReadOptions<Fields, Without> {
  /** Only these fields; id and version always come along. */
  readonly fields?: readonly Fields[];
  /** All fields but these. Not together with `fields`. */
  readonly without?: readonly Without[];
  /** The name of the index to use. */
  readonly hint?: string;
  /** Reads the transaction's snapshot. */
  readonly transaction?: Transaction;
}

/** The states of a domain, each in a document of its own. Deleted documents are left out of everything it reads. */
export interface Repository<State extends { readonly id: string }> {
  /** The calls of one moment are one read. In a transaction it reads that one's snapshot, by itself. */
  load(id: string, transaction?: Transaction): Promise<Loaded<State> | null>;
  /**
   * Loads the state, calls `decide`, and saves the new state with its events in one atomic write. If the document
   * changed meanwhile it starts again, so `decide` may run several times and must have no effect of its own. An error
   * of `decide` passes through, and nothing is written. `version` is 0 where there is no document yet. `known` saves
   * the first read: what the caller has just written or read, or null where the document is most likely new. If it is
   * out of date, it costs a write instead. Throws `ConflictError` when it was overtaken 200 times.
   */
  change<Result>(
    id: string,
    decide: Decide<State, Result>,
    known?: Loaded<State> | null,
  ): Promise<{ result: Result; version: number }>;
  /**
   * The same for several documents in a transaction: one read and one write for all. The results are in the order of
   * `ids`, and valid once the transaction is committed. A transaction of a step batch changes each document in
   * the context of the step that owns it.
   */
  changeAll<Result>(
    transaction: Transaction,
    ids: readonly string[],
    decide: (id: string, ...current: Parameters<Decide<State, Result>>) => Decision<State, Result>,
  ): Promise<{ result: Result; version: number }[]>;
  /**
   * Inserts documents with their events. Those whose id exists already stay as they are, and none of their events is
   * published. Returns the ids of those that were new.
   */
  insertNew(documents: readonly NewDocument<State>[]): Promise<ReadonlySet<string>>;
  /**
   * Deletes the documents with all they hold. Of a document with unpublished events, only these stay until they are
   * published.
   */
  eraseMany(filter: Filter<StoredAs<State>>): Promise<void>;
  find<Fields extends FieldOf<State> = FieldOf<State>, Without extends FieldOf<State> = never>(
    filter: Filter<StoredAs<State>>,
    options?: ReadOptions<Fields, Without> & { readonly order?: Order; readonly limit?: number },
  ): Promise<Loaded<Part<State, Fields, Without>>[]>;
  findOne<Fields extends FieldOf<State> = FieldOf<State>, Without extends FieldOf<State> = never>(
    filter: Filter<StoredAs<State>>,
    options?: ReadOptions<Fields, Without>,
  ): Promise<Loaded<Part<State, Fields, Without>> | null>;
  /** A part of a list, and where the list goes on. */
  page<Fields extends FieldOf<State> = FieldOf<State>, Without extends FieldOf<State> = never>(
    query: ReadOptions<Fields, Without> & {
      readonly filter?: Filter<StoredAs<State>>;
      readonly order: Order;
      readonly slice: Slice;
    },
  ): Promise<PageOf<Loaded<Part<State, Fields, Without>>>>;
  count(
    filter: Filter<StoredAs<State>>,
    options?: { readonly hint?: string; readonly limit?: number; readonly transaction?: Transaction },
  ): Promise<number>;
  /** The driver's collection, for everything else. It shows deleted documents too: add `living` to filters. */
  readonly collection: Collection<StoredAs<State>>;
}
