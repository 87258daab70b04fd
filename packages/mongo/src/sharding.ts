import type { Sharding } from '@storefront/contracts';

/**
 * Shards by the id, because every change of a document names it. The id is hashed: ids grow with time, and without
 * hashing all new documents would go to the same shard.
 */
export const byId = { key: { _id: 'hashed' } } as const satisfies Sharding;
