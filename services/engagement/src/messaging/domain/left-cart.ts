import type { ordersEvents } from '@storefront/contracts';
import type { MailContent } from './layout.ts';
import type { NewNotification } from './notification.ts';
import { items } from './order-messages.ts';
import { compose, notificationOf, wordsOf, type Writing } from './templates/compose.ts';

/** What a user has left in a cart. Amounts are in minor units. */
type LeftCart = ordersEvents.CartLeft;

/** The mail that reminds a user of a cart. It leads to the user's own cart, which needs a login: the cart's id is secret. */
export function cartMail(
  { firstName, ...cart }: LeftCart & { readonly firstName: string },
  writing: Writing,
): MailContent {
  const { language, formats } = writing;
  const { currency, subtotal: amount } = cart;
  return compose(writing, cartWords(writing, cart), {
    firstName,
    main: [
      items(cart, writing),
      { kind: 'figures', rows: [[language.figures.subtotal, formats.money({ amount, currency }), 'strong']] },
    ],
    path: '/cart',
  });
}

export function cartNotification(writing: Writing, userId: string, cart: LeftCart): NewNotification {
  const words = cartWords(writing, cart);
  return { audience: userId, category: 'offers', type: 'cart-left', ...notificationOf(words), data: {} };
}

function cartWords(writing: Writing, { lines }: LeftCart) {
  return wordsOf(writing, 'cart-left', { first: lines[0]?.name ?? '', more: lines.length - 1 });
}
