import { configTypes } from '@storefront/process';
import { z } from 'zod';

/** The variables of `npm run shard`. */
export const shardConfig = z.object({
  MONGODB_URL: configTypes.mongodbUrl.describe('A `mongos` of the cluster, with `/admin` as its path.'),
});
