/** The fields by which the documents of a collection are spread over shards. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** Queries that intentionally do not name the shard key. They are sent to every shard. */
export interface AcrossShards {
  /** The fields that such a query names at least; empty if it may name none. */
  readonly by: readonly string[];
  readonly because: string;
}

/**
 * How a sharded cluster stores a collection: spread over the shards by a key, or as a whole on one shard. `unsharded`
 * says why the collection stays on one shard. Queries must name the key, the key of a document never changes, and a
 * unique index begins with the key.
 */
export type Sharding =
  | { readonly key: ShardKey; readonly acrossShards?: readonly AcrossShards[] }
  | { readonly unsharded: string };

/** The description of a collection, for code outside the service that owns it. */
export interface StoredCollection {
  readonly name: string;
  readonly sharding: Sharding;
}
