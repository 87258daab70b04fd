import { accountEvents } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import { factKind, from, user } from '../kind.ts';
import { variantKey } from '../variant-key.ts';

const ofProduct = z.object({ productId: z.string() });

export const accountFacts = {
  /**
   * An address of a user was created, changed or deleted. The event does not contain the user's segment, so `retail` is
   * used.
   */
  'address-changed': factKind({
    data: z.object({ change: z.enum(['created', 'changed', 'deleted']), country: z.string() }),
    events: [
      from(accountEvents.addressChanged, ({ subject, time, data: { change, country } }) => ({
        at: new Date(time),
        segment: 'retail',
        by: user(subject),
        data: { change, country },
      })),
    ],
    isActivity: true,
  }),

  /**
   * A user saved or changed a recipient, or ordered for a recipient. The event does not contain the user's segment, so
   * `retail` is used.
   */
  'customer-saved': factKind({
    data: z.object({ change: z.enum(['created', 'changed', 'ordered-for']), by: z.enum(['user', 'order']) }),
    events: [
      from(accountEvents.customerSaved, ({ time, data: { userId, change, by } }) => ({
        at: new Date(time),
        segment: 'retail',
        by: user(userId),
        data: { change, by },
      })),
    ],
    isActivity: true,
  }),

  /** A user added a product, or one of its variants, to the wishlist. */
  'wishlist-item-added': factKind({
    data: ofProduct.extend({
      /** Missing where the user wishes for the product. */
      variantId: z.string().optional(),
    }),
    events: [
      from(accountEvents.wishlistItemAdded, ({ subject, time, data: { productId, variantId, tier } }) => ({
        at: new Date(time),
        segment: tier,
        by: user(subject),
        data: variantId === undefined ? { productId } : { productId, variantId },
      })),
    ],
    countsOf: ({ data: { productId, variantId } }): Count[] => [
      { family: 'wishlists', of: '', measures: { additions: 1 } },
      { family: 'productInterest', of: productId, measures: { wishlists: 1 } },
      { family: 'variantInterest', of: variantKey(productId, variantId), measures: { wishlists: 1 } },
    ],
    isActivity: true,
  }),

  /** A user removed a product from the wishlist. */
  'wishlist-item-removed': factKind({
    data: ofProduct,
    events: [
      from(accountEvents.wishlistItemRemoved, ({ subject, time, data: { productId, tier } }) => ({
        at: new Date(time),
        segment: tier,
        by: user(subject),
        data: { productId },
      })),
    ],
    countsOf: () => [{ family: 'wishlists', of: '', measures: { removals: 1 } }],
    isActivity: true,
  }),

  /** A product that a user wishes for became cheaper, or is in stock again. */
  'wishlist-alert-raised': factKind({
    data: ofProduct.extend({ alert: z.enum(['price-drop', 'back-in-stock']) }),
    events: [
      from(accountEvents.wishlistAlertRaised, ({ time, data: { userId, productId, kind, tier } }) => ({
        at: new Date(time),
        segment: tier,
        by: user(userId),
        data: { productId, alert: kind },
      })),
    ],
    countsOf: () => [{ family: 'wishlists', of: '', measures: { alerts: 1 } }],
  }),
};
