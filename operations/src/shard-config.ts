import { z } from 'zod';

/** The variables of `npm run shard`. */
export const shardConfig = z.object({
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/.+/, { error: 'must be a mongodb:// address' })
    .describe('A `mongos` of the cluster, with a user who may spread collections.'),
});
