import { arrayOf, defineCollection, integer, orNull, recordOf, text } from '@storefront/mongo';

/** What is known of each user who redeems, by the user's id. */
export const shoppers = defineCollection(
  'shoppers',
  {
    /** The first order that was placed, as the order system calls it. */
    firstOrder: orNull(text()),
    /** How many redemptions are held or confirmed, by campaign; never 0. */
    uses: recordOf(integer()),
    /** The UTC day of the latest redemption, and how many there were on it. */
    day: text(),
    redemptions: integer(),
    /** For how many seconds the user held discounts on it, less those after which an order was placed. */
    heldSeconds: integer(),
    /** The redemptions that the user holds; what an order system holds for the user is not among them. */
    holds: arrayOf(text()),
  },
  { sharding: { unsharded: 'redemptions write it in their transactions, which stay on one shard' } },
);
