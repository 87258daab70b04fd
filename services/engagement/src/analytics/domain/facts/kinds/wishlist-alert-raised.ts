import { accountEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ productId: z.string(), alert: z.enum(['price-drop', 'back-in-stock']) });

/** A user is told of a wished product: it costs less, or is there again. */
export const wishlistAlertRaised: FactKind<'wishlist-alert-raised', z.infer<typeof data>> = {
  name: 'wishlist-alert-raised',
  data,
  tellers: [
    toldBy(accountEvents.wishlistAlertRaised, ({ time, data: { userId, productId, kind, tier } }) => ({
      at: new Date(time),
      segment: tier,
      by: { userId },
      data: { productId, alert: kind },
    })),
  ],
  countsOf: () => [{ family: 'wishlists', of: '', measures: { alerts: 1 } }],
  setsOf: () => [],
};
