import type { Sharding } from '@storefront/contracts';

/** By the id, which every change of a document names. Ids grow with time: hashed, new ones go to all shards. */
export const byId = { key: { _id: 'hashed' } } as const satisfies Sharding;
