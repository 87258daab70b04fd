import type { accountEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { Words } from './languages/language.ts';
import type { NewNotification } from './notification.ts';
import { notificationOf, wordsOf, type Writing } from './templates/compose.ts';

/** A product or variant on a wishlist that costs less or is back in stock. The prices are this user's prices. */
export type WishlistAlert = Pick<
  z.output<typeof accountEvents.wishlistAlertRaised.data>,
  'kind' | 'productId' | 'variantId' | 'productName' | 'values' | 'was' | 'now'
>;

export function wishlistWords(writing: Writing, alert: WishlistAlert): Words {
  const { kind, productName, values = [], was, now } = alert;
  const { money } = writing.formats;
  const product = values.length === 0 ? productName : `${productName} (${values.join(', ')})`;
  return wordsOf(writing, 'wishlist-alert', { kind, product, now: money(now), was: was && money(was) });
}

export function wishlistNotification(writing: Writing, userId: string, alert: WishlistAlert): NewNotification {
  const { kind, productId, variantId, productName, was, now } = alert;
  return {
    audience: userId,
    category: 'wishlist',
    type: kind,
    ...notificationOf(wishlistWords(writing, alert)),
    data: { productId, ...(variantId !== undefined && { variantId }), productName, was, now },
  };
}
