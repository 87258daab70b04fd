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
  /** The sequence of the document's events; 1, the first version, by default. */
  readonly sequence?: number;
}

/** Decides what becomes of a document with this state and version. There is no document if the state is null. */
export type Decide<State, Result> = (current: State | null, version: number) => Decision<State, Result>;

type FieldOf<State> = State extends unknown ? Exclude<keyof State, 'id'> : never;
type Part<State, Fields, Without> = State extends unknown
  ? Pick<State, Extract<keyof State, 'id' | Exclude<Fields, Without>>>
  : never;

/** Options of a read. All fields are read if neither `fields` nor `without` is given. */
export interface ReadOptions<Fields, Without> {
  /** Reads only these fields, and always id and version. */
  readonly fields?: readonly Fields[];
  /**
   * Reads all fields except these; a page reads those of its order anyway. Must not be given together with `fields`.
   */
  readonly without?: readonly Without[];
  /** The name of the index to use. */
  readonly hint?: string;
  /** If given, the read uses the transaction's snapshot. */
  readonly transaction?: Transaction;
}

/** Stores the states of a domain, each in its own document. No read returns deleted documents. */
export interface Repository<State extends { readonly id: string }> {
  /**
   * Reads a state by id. Concurrent calls become one command. In a transaction each call is a separate command that
   * reads the transaction's snapshot.
   */
  load(id: string, transaction?: Transaction): Promise<Loaded<State> | null>;
  /**
   * Returns the state that this process has written last, where the repository remembers it, or else reads it. It may be out
   * of date, so it is good only as `known` of a change that writes.
   */
  latest(id: string, transaction?: Transaction): Promise<Loaded<State> | null>;
  /**
   * Loads the state, calls `decide`, and saves the new state with its events in one atomic write. If the document
   * changed meanwhile, this starts again, so `decide` may run several times and must have no side effects. If `decide`
   * throws, nothing is written and the error passes through. `version` is 0 if there is no document yet.
   *
   * Changes of one document that this process makes at the same time take turns, each beginning with the state that the
   * one before has written. If the database is away, the changes that wait fail together with the one under way.
   *
   * `known` saves the first read. Pass the state that was just written or read, or null for a document that is most
   * likely new. If `known` is out of date, one write fails in addition. Throws `ConflictError` after 200 failed
   * attempts.
   */
  change<Result>(
    id: string,
    decide: Decide<State, Result>,
    known?: Loaded<State> | null,
  ): Promise<{ result: Result; version: number }>;
  /**
   * Reads whole documents in a transaction, for `changeAll`. An id has null where there is no document, and no entry where
   * a deleted one still has events to publish.
   */
  readAll(transaction: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Loaded<State> | null>>;
  /**
   * Like `change`, for several documents in a transaction: one read and one write for all documents. The results are in
   * the order of `ids`, and valid once the transaction is committed. In a step batch, each document is changed in the
   * context of the step that owns it.
   *
   * `known` saves reading documents again that were read whole in the same transaction, and not changed in it since, or came
   * from `latest` and are written now: where they were out of date, the transaction starts again. Null stands for a
   * document that does not exist; if it does after all, the transaction fails.
   */
  changeAll<Result>(
    transaction: Transaction,
    ids: readonly string[],
    decide: (id: string, ...current: Parameters<Decide<State, Result>>) => Decision<State, Result>,
    known?: Iterable<readonly [id: string, found: Loaded<State> | null]>,
  ): Promise<{ result: Result; version: number }[]>;
  /**
   * Inserts documents with their events. If an id already exists, the stored document stays unchanged and no event is
   * published. Returns the ids of the new documents.
   */
  insertNew(documents: readonly NewDocument<State>[]): Promise<ReadonlySet<string>>;
  /** Deletes the documents. If a document has unpublished events, only these events stay until they are published. */
  eraseMany(filter: Filter<StoredAs<State>>): Promise<void>;
  find<Fields extends FieldOf<State> = FieldOf<State>, Without extends FieldOf<State> = never>(
    filter: Filter<StoredAs<State>>,
    options?: ReadOptions<Fields, Without> & { readonly order?: Order; readonly limit?: number },
  ): Promise<Loaded<Part<State, Fields, Without>>[]>;
  findOne<Fields extends FieldOf<State> = FieldOf<State>, Without extends FieldOf<State> = never>(
    filter: Filter<StoredAs<State>>,
    options?: ReadOptions<Fields, Without>,
  ): Promise<Loaded<Part<State, Fields, Without>> | null>;
  /** Reads one page of a list, and the position where the list goes on. */
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
  /** The driver's collection, for all other commands. It also returns deleted documents: add `living` to filters. */
  readonly collection: Collection<StoredAs<State>>;
}
