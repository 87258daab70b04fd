/** The fields by which the documents of a collection are spread over shards. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** Queries that do not name the shard key, on purpose: they go to every shard. */
export interface AcrossShards {
  /** The fields that such a query names, at least; empty for a query that names none. */
  readonly by: readonly string[];
  readonly because: string;
}

/**
 * How a sharded cluster keeps a collection: spread by a key, which queries name, or whole on one shard, for the reason that is
 * given. The key of a document never changes, and a unique index begins with the key.
 */
export type Sharding =
  | { readonly key: ShardKey; readonly acrossShards?: readonly AcrossShards[] }
  | { readonly unsharded: string };

/** A collection of a service's database, as far as others know it than the service. */
export interface StoredCollection {
  readonly name: string;
  readonly sharding: Sharding;
}
