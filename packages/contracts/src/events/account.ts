import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { money } from '../http/common.ts';

// The events from here to `customerSaved` are only for statistics. So they contain only the country of an address, and
// nothing about the recipient.
const tier = z.enum(['retail', 'trade']);

export const addressChanged = defineEvent(
  'account.address-changed',
  'An address of the subject, a user, was created, changed or deleted.',
  z.object({
    addressId: z.string(),
    change: z.enum(['created', 'changed', 'deleted']),
    country: z.string(),
    isDefault: z.boolean(),
  }),
);

const variantId = z.string().optional().meta({ description: 'Missing where the user names no variant.' });
const wish = z.object({ itemId: z.string(), productId: z.string(), variantId, tier });

export const wishlistItemAdded = defineEvent(
  'account.wishlist-item-added',
  'The subject, a user, wishes for a product.',
  wish,
);

export const wishlistItemRemoved = defineEvent(
  'account.wishlist-item-removed',
  'The subject, a user, no longer wishes for a product.',
  wish,
);

export const wishlistAlertRaised = defineEvent(
  'account.wishlist-alert-raised',
  'A product on the wishlist of the subject, a user, or the variant that is named there, costs less or is there again. Once for each user, product and change.',
  z.object({
    userId: z.string(),
    kind: z.enum(['price-drop', 'back-in-stock']),
    productId: z.string(),
    variantId,
    productName: z.string(),
    values: z
      .array(z.string())
      .optional()
      .meta({ description: "Of the variant: one of each of the product's options." }),
    tier: tier.meta({ description: 'The customers that `was` and `now` are prices for.' }),
    was: money.nullable().meta({ description: 'The price before, of a price drop.' }),
    now: money,
  }),
);

export const customerSaved = defineEvent(
  'account.customer-saved',
  'A saved recipient is new, is a different one, or had an order placed for it.',
  z.object({
    userId: z.string(),
    change: z.enum(['created', 'changed', 'ordered-for']),
    by: z.enum(['user', 'order']),
    orderCount: z.int(),
  }),
);

/** Answers to `orders.recipient-requested`. The order is the subject. */
export const recipientFound = defineEvent(
  'account.recipient-found',
  'Where an order goes: the address, or the saved recipient, that its buyer has named.',
  z.object({
    firstName: z.string().nullable().meta({ description: 'null, as the last name, of an address: it has no name.' }),
    lastName: z.string().nullable(),
    homeAddress: z.string(),
    state: z.string().nullable(),
    city: z.string(),
    country: z.string(),
    phone: z.string().nullable(),
  }),
);

export const recipientRefused = defineEvent(
  'account.recipient-refused',
  'An order can not go where its buyer has said. `unknown`: the buyer has no such address or recipient.',
  z.object({ reason: z.enum(['unknown', 'no-address']) }),
);
