import { engagementEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { discountRetakenNotification } from '../domain/event-notifications.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { notifyAbout } from './about-event.ts';

/** Notifies administrators that an order was placed with discounts which had been given back before. */
export function onDiscountRetaken(needs: MessageNeeds) {
  return [
    on(engagementEvents.discountRetaken, (event) =>
      notifyAbout(needs, event, discountRetakenNotification(needs.writingFor({}), event.subject, event.data)),
    ),
  ];
}
