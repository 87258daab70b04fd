import type { accountEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { Words } from './languages/language.ts';
import type { NewNotification } from './notification.ts';
import { notificationOf, wordsOf, type Writing } from './templates/compose.ts';

/** A product on a wishlist that costs less or is back in stock. The prices are this user's prices. */
export type WishlistAlert = Pick<
  z.output<typeof accountEvents.wishlistAlertRaised.data>,
  'kind' | 'productId' | 'productName' | 'was' | 'now'
>;

export function wishlistWords(writing: Writing, { kind, productName, was, now }: WishlistAlert): Words {
  const { money } = writing.formats;
  return wordsOf(writing, 'wishlist-alert', { kind, product: productName, now: money(now), was: was && money(was) });
}

export function wishlistNotification(writing: Writing, userId: string, alert: WishlistAlert): NewNotification {
  const { kind, productId, productName, was, now } = alert;
  return {
    audience: userId,
    category: 'wishlist',
    type: kind,
    ...notificationOf(wishlistWords(writing, alert)),
    data: { productId, productName, was, now },
  };
}
