import { accountEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ productId: z.string() });

/** A user no longer wishes for a product. */
export const wishlistItemRemoved: FactKind<'wishlist-item-removed', z.infer<typeof data>> = {
  name: 'wishlist-item-removed',
  data,
  tellers: [
    toldBy(accountEvents.wishlistItemRemoved, ({ subject, time, data: { productId, tier } }) => ({
      at: new Date(time),
      segment: tier,
      by: { userId: subject },
      data: { productId },
    })),
  ],
  countsOf: () => [{ family: 'wishlists', of: '', measures: { removals: 1 } }],
  setsOf: active,
};
