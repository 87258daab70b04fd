import type { accountEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { NewNotification } from './notification.ts';
import { formatPrice } from './formats.ts';

/** A product on a wishlist that costs less or is back in stock. The prices are this user's prices. */
export type WishlistAlert = Pick<
  z.output<typeof accountEvents.wishlistAlertRaised.data>,
  'kind' | 'productId' | 'productName' | 'was' | 'now'
>;

/** Describes the alert in a few words, for a title or a subject. */
export function alertTitle({ kind, productName }: WishlistAlert): string {
  return kind === 'back-in-stock' ? `${productName} is back in stock` : `${productName} costs less`;
}

/** Describes the alert in one sentence, with the price. */
export function alertSentence({ kind, productName, was, now }: WishlistAlert): string {
  if (kind === 'back-in-stock') return `${productName} is back in stock, at ${formatPrice(now)}.`;
  return `${productName} costs ${formatPrice(now)} now${was ? `; it was ${formatPrice(was)}` : ''}.`;
}

export function wishlistNotification(userId: string, alert: WishlistAlert): NewNotification {
  const { kind, productId, productName, was, now } = alert;
  return {
    audience: userId,
    category: 'wishlist',
    type: kind,
    title: alertTitle(alert),
    body: alertSentence(alert),
    data: { productId, productName, was, now },
  };
}
