import { arrayOf, defineCollection, integer, orNull, recordOf, text } from '@storefront/mongo';

/** The counts of each user who redeems discounts. The id is the user's id. */
export const shoppers = defineCollection(
  'shoppers',
  {
    /** The reference of the first placed order, in the order system. */
    firstOrder: orNull(text()),
    /** How many held or confirmed redemptions the user has, by campaign; never 0. */
    uses: recordOf(integer()),
    /** The UTC day of the user's latest redemption. `redemptions` is the number of redemptions on this day. */
    day: text(),
    redemptions: integer(),
    /** For how many seconds the user held discounts on this day. Holds that ended with an order do not count. */
    heldSeconds: integer(),
    /** The ids of the redemptions that the user holds, without those that an order system holds for the user. */
    holds: arrayOf(text()),
  },
  { sharding: { unsharded: 'redemptions write it in their transactions, which stay on one shard' } },
);
