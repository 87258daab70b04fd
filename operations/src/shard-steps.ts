import type { ShardKey } from '@storefront/contracts';

/** A collection that a cluster spreads over its shards. `service` is also the name of its database. */
export interface ShardedCollection {
  readonly service: string;
  readonly collection: string;
  readonly key: ShardKey;
}

/** A command of MongoDB, and the database that it is sent to. */
export interface ShardCommand {
  readonly database: string;
  readonly command: Readonly<Record<string, unknown>>;
}

export interface ShardStep {
  readonly was: 'made' | 'there' | 'differs';
  /** The collection, with its database. */
  readonly what: string;
  readonly detail?: string;
}

/** What of a cluster is used. */
export interface Cluster {
  run(command: ShardCommand): Promise<unknown>;
  /** The key by which a collection, such as `account.customers`, is spread; null where it is not. */
  keyOf(namespace: string): Promise<ShardKey | null>;
}

/** The commands that spread a collection by its key: the index of the key comes first, since documents may be there already. */
export function commandsFor(database: string, { collection, key }: ShardedCollection): readonly ShardCommand[] {
  const fields = Object.entries(key);
  // The index of `_id` is there by itself; the hashed one is another.
  const hasIndex = fields.length === 1 && key['_id'] === 1;
  const name = fields.map(([field, kind]) => `${field}_${kind}`).join('_');
  return [
    { database: 'admin', command: { enableSharding: database } },
    ...(hasIndex ? [] : [{ database, command: { createIndexes: collection, indexes: [{ key, name }] } }]),
    { database: 'admin', command: { shardCollection: `${database}.${collection}`, key } },
  ];
}

/**
 * Spreads the collections that are not spread yet. One that is spread by another key is left as it is: MongoDB would move all its
 * documents.
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
