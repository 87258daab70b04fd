import { defineCollection } from '@storefront/mongo';
import { storedShopper } from '../domain/redemptions/counts.ts';

/** The counts of each user who redeems discounts. The id is the user's id. */
export const shoppers = defineCollection('shoppers', storedShopper.shape, {
  sharding: { unsharded: 'redemptions write it in their transactions, which stay on one shard' },
});
