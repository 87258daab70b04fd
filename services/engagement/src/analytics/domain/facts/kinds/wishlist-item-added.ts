import { accountEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import type { Count } from '../count.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ productId: z.string() });

/** A user wishes for a product. */
export const wishlistItemAdded: FactKind<'wishlist-item-added', z.infer<typeof data>> = {
  name: 'wishlist-item-added',
  data,
  tellers: [
    toldBy(accountEvents.wishlistItemAdded, ({ subject, time, data: { productId, tier } }) => ({
      at: new Date(time),
      segment: tier,
      by: { userId: subject },
      data: { productId },
    })),
  ],
  countsOf: ({ data: { productId } }): Count[] => [
    { family: 'wishlists', of: '', measures: { additions: 1 } },
    { family: 'productInterest', of: productId, measures: { wishlists: 1 } },
  ],
  setsOf: active,
};
