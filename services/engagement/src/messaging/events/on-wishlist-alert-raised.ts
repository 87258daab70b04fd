import { accountEvents, derivedId, readingOf } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { requestMail } from '../commands/deliveries.ts';
import { wishlistNotification } from '../domain/wishlist-alert.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import type { Recipients } from '../store/recipients.ts';
import { notifyAbout } from './about-event.ts';

export function onWishlistAlertRaised(needs: MessageNeeds & { readonly recipients: Recipients }) {
  return [
    on(accountEvents.wishlistAlertRaised, async (event) => {
      const { userId, tier: _seen, ...alert } = event.data;
      const recipient = await needs.recipients.find(userId);
      const reading = readingOf(recipient ?? {});
      await notifyAbout(needs, event, wishlistNotification(needs.writingFor(reading), userId, alert));
      if (!recipient) return;
      await requestMail(needs, derivedId('dlv', event.id, 'wishlist-alert'), {
        to: recipient.email,
        userId,
        reading,
        category: 'wishlist',
        mail: { template: 'wishlist-alert', data: { firstName: recipient.firstName, ...alert } },
      });
    }),
  ];
}
