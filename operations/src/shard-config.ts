import { configTypes } from '@storefront/process';
import { z } from 'zod';
import { mongodbServer } from './users-config.ts';

/** The variables of `npm run shard`. */
export const shardConfig = z.object({
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
  MONGODB_URL: mongodbServer.describe('A `mongos` of the cluster, with a user who may spread collections.'),
});
