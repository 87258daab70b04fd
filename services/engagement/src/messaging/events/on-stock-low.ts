import { catalogEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { stockLowNotification } from '../domain/event-notifications.ts';
import { notifyAbout } from './about-event.ts';

/**
 * Notifies administrators that little of a product is left. The notification has an id that is made from the event, so a
 * second delivery adds none.
 */
export function onStockLow(needs: MessageNeeds) {
  return [
    on(catalogEvents.stockLow, (event) =>
      notifyAbout(needs, event, stockLowNotification(needs.writingFor({}), event.data)),
    ),
  ];
}
