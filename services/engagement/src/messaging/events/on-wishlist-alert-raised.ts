import { accountEvents, derivedId } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { requestMail } from '../commands/deliveries.ts';
import { wishlistNotification } from '../domain/wishlist-alert.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import type { Recipients } from '../store/recipients.ts';
import { notifyAbout } from './about-event.ts';

export function onWishlistAlertRaised(needs: MessageNeeds & { readonly recipients: Recipients }) {
  return [
    on(accountEvents.wishlistAlertRaised, async (event) => {
      const { userId, kind, productId, productName, was, now } = event.data;
      const alert = { kind, productId, productName, was, now };
      await notifyAbout(needs, event, wishlistNotification(userId, alert));
      const recipient = await needs.recipients.find(userId);
      if (!recipient) return;
      await requestMail(needs, derivedId('dlv', event.id, 'wishlist-alert'), {
        to: recipient.email,
        userId,
        category: 'wishlist',
        mail: { template: 'wishlist-alert', data: { firstName: recipient.firstName, ...alert } },
      });
    }),
  ];
}
