import type { accountEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { Notice } from './notification.ts';
import { showPrice } from './price.ts';

/** What a product on somebody's wishlist has to tell, in the prices that this reader pays. */
export type WishlistAlert = Pick<
  z.output<typeof accountEvents.wishlistAlertRaised.data>,
  'kind' | 'productId' | 'productName' | 'was' | 'now'
>;

/** The news in one sentence. */
export function newsOf({ kind, productName, was, now }: WishlistAlert): string {
  if (kind === 'back-in-stock') return `${productName} is back in stock, at ${showPrice(now)}.`;
  return `${productName} costs ${showPrice(now)} now${was ? `; it was ${showPrice(was)}` : ''}.`;
}

export function headlineOf({ kind, productName }: WishlistAlert): string {
  return kind === 'back-in-stock' ? `${productName} is back in stock` : `${productName} costs less`;
}

export function wishlistNotice(userId: string, alert: WishlistAlert): Notice {
  const { kind, productId, productName, was, now } = alert;
  return {
    audience: userId,
    category: 'wishlist',
    type: kind,
    title: headlineOf(alert),
    body: newsOf(alert),
    data: { productId, productName, was, now },
  };
}
