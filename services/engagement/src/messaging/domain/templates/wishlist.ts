import { alertSentence, alertTitle, type WishlistAlert } from '../wishlist-alert.ts';
import type { MailContent, Shop } from '../layout.ts';
import { greeting, paragraph } from './phrases.ts';

export function wishlistAlert({ firstName, ...alert }: WishlistAlert & { firstName: string }, shop: Shop): MailContent {
  return {
    subject: alertTitle(alert),
    blocks: [
      greeting(firstName),
      paragraph(`there is news of your wishlist: ${alertSentence(alert)}`),
      { kind: 'link', label: 'Look at your wishlist', url: `${shop.url}/wishlist` },
    ],
  };
}
