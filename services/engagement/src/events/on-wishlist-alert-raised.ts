import { accountEvents, derivedId } from '@storefront/contracts';
import { wishlistNotice } from '../domain/wishlist-alert.ts';
import type { Outreach } from '../outreach.ts';
import type { Recipients } from '../store/recipients.ts';
import { notifyAbout } from './reach.ts';
import { on } from './reactions.ts';

export function onWishlistAlertRaised(outreach: Outreach, recipients: Recipients) {
  return [
    on(accountEvents.wishlistAlertRaised, async (event) => {
      const { userId, kind, productId, productName, was, now } = event.data;
      const alert = { kind, productId, productName, was, now };
      await notifyAbout(outreach, event, wishlistNotice(userId, alert));
      const recipient = await recipients.find(userId);
      if (!recipient) return;
      await outreach.mail(derivedId('dlv', event.id, 'wishlist-alert'), {
        to: recipient.email,
        userId,
        category: 'wishlist',
        mail: { template: 'wishlist-alert', data: { firstName: recipient.firstName, ...alert } },
      });
    }),
  ];
}
