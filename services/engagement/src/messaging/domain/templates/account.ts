import type { MailContent, Shop } from '../layout.ts';
import { alertSentence, alertTitle, type WishlistAlert } from '../wishlist-alert.ts';
import { greeting, paragraph } from './phrases.ts';

export function welcome(data: { firstName: string }, shop: Shop): MailContent {
  return {
    subject: `Welcome to ${shop.name}`,
    blocks: [
      greeting(data.firstName),
      paragraph('your email address is confirmed and your account is ready. It is good to have you here.'),
      { kind: 'link', label: `Go to ${shop.name}`, url: shop.url },
    ],
  };
}

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

export function exportReady(data: { firstName: string }, shop: Shop): MailContent {
  return {
    subject: 'Your data is ready',
    blocks: [
      greeting(data.firstName),
      paragraph('the copy of your data that you asked for is ready. It can be downloaded for 7 days.'),
      { kind: 'link', label: 'Download your data', url: `${shop.url}/account/data` },
      paragraph('If it was not you who asked, set a new password at once.'),
    ],
  };
}

/** The last mail to an erased user. It contains no personal data. */
export function accountErased(_data: unknown, shop: Shop): MailContent {
  return {
    subject: 'Your account is being erased',
    blocks: [
      paragraph('Hello,'),
      paragraph(`as you asked, your account at ${shop.name} and everything that we keep about you is being erased.`),
      paragraph('This is the last mail to you. If you come back, register anew.'),
    ],
  };
}
