import { derivedId, ordersEvents, readingOf } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { requestMail } from '../commands/deliveries.ts';
import { loadPreferences } from '../commands/preferences.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { cartNotification } from '../domain/left-cart.ts';
import { allows } from '../domain/preferences.ts';
import type { Recipients } from '../store/recipients.ts';
import { notifyAbout } from './about-event.ts';

/** What was left is not what is in the cart any more: it may be ordered. */
const staleAfterMs = 24 * 60 * 60 * 1000;

/**
 * Reminds users who want mail about offers of what they have left in a cart, by a mail and a notification. Their ids are
 * derived from the event, so an event that is delivered again reminds nobody twice.
 */
export function onCartLeft(needs: MessageNeeds & { readonly recipients: Recipients }) {
  return [
    on(ordersEvents.cartLeft, async (event) => {
      const { id, subject: userId, time, data } = event;
      if (needs.databaseNow().getTime() - Date.parse(time) > staleAfterMs) return;
      const [recipient, { state }] = await Promise.all([
        needs.recipients.find(userId),
        loadPreferences(needs.preferences, userId),
      ]);
      if (!recipient || !allows(state, 'offers', 'EMAIL')) return;
      const reading = readingOf(recipient);
      await notifyAbout(needs, event, cartNotification(needs.writingFor(reading), userId, data));
      await requestMail(needs, derivedId('dlv', id, 'cart-left'), {
        to: recipient.email,
        userId,
        reading,
        category: 'offers',
        mail: { template: 'cart-left', data: { firstName: recipient.firstName, ...data } },
      });
    }),
  ];
}
