import type { ShardKey } from '@storefront/contracts';

/** A collection that is spread over the shards of a cluster. `service` is also the name of its database. */
export interface ShardedCollection {
  readonly service: string;
  readonly collection: string;
  readonly key: ShardKey;
}

/** A MongoDB command, and the database to which it is sent. */
export interface ShardCommand {
  readonly database: string;
  readonly command: Readonly<Record<string, unknown>>;
}

export interface ShardStep {
  readonly was: 'made' | 'there' | 'differs';
  /** The collection, with the name of its database. */
  readonly what: string;
  readonly detail?: string;
}

/** The operations of a sharded cluster that are needed here. */
export interface Cluster {
  run(command: ShardCommand): Promise<unknown>;
  /** The shard key of a collection, such as `account.customers`. null where the collection is not sharded. */
  keyOf(namespace: string): Promise<ShardKey | null>;
}

/**
 * The commands that shard a collection by its key. The index of the key is created first, because MongoDB requires it
 * when the collection already has documents.
 */
export function commandsFor(database: string, { collection, key }: ShardedCollection): readonly ShardCommand[] {
  const fields = Object.entries(key);
  // MongoDB creates the index of `_id` automatically, but not the hashed index of `_id`.
  const hasIndex = fields.length === 1 && key['_id'] === 1;
  const name = fields.map(([field, kind]) => `${field}_${kind}`).join('_');
  return [
    { database: 'admin', command: { enableSharding: database } },
    ...(hasIndex ? [] : [{ database, command: { createIndexes: collection, indexes: [{ key, name }] } }]),
    { database: 'admin', command: { shardCollection: `${database}.${collection}`, key } },
  ];
}

/**
 * Shards the collections that are not sharded yet. A collection that is sharded by another key is not changed, because
 * MongoDB would have to move all its documents.
 */
export async function* shard(
  cluster: Cluster,
  collections: readonly ShardedCollection[],
  databaseOf: (service: string) => string,
): AsyncIterable<ShardStep> {
  for (const collection of collections) {
    const database = databaseOf(collection.service);
    const what = `${database}.${collection.collection}`;
    const present = await cluster.keyOf(what);
    if (present === null) {
      for (const command of commandsFor(database, collection)) await cluster.run(command);
      yield { was: 'made', what, detail: JSON.stringify(collection.key) };
    } else if (JSON.stringify(present) === JSON.stringify(collection.key)) yield { was: 'there', what };
    else {
      const detail = `is spread by ${JSON.stringify(present)}, not by ${JSON.stringify(collection.key)}`;
      yield { was: 'differs', what, detail };
    }
  }
}
