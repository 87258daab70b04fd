import { headlineOf, newsOf } from '../wishlist-alert.ts';
import type { WishlistAlert } from '../wishlist-alert.ts';
import type { Content, Shop } from './layout.ts';
import { greeting, paragraph } from './words.ts';

export function wishlistAlert({ firstName, ...alert }: WishlistAlert & { firstName: string }, shop: Shop): Content {
  return {
    subject: headlineOf(alert),
    blocks: [
      greeting(firstName),
      paragraph(`there is news of your wishlist: ${newsOf(alert)}`),
      { kind: 'link', label: 'Look at your wishlist', url: `${shop.url}/wishlist` },
    ],
  };
}
