import { engagementEvents } from '@storefront/contracts';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutNotification, countNotification, notificationData, type NotificationData } from '../notification.ts';

/** A message was handed over. */
export const notificationDelivered: FactKind<'notification-delivered', NotificationData> = {
  name: 'notification-delivered',
  data: notificationData,
  tellers: [toldBy(engagementEvents.notificationDelivered, ({ time, data }) => aboutNotification(time, data))],
  countsOf: ({ data }) => countNotification(data, { delivered: 1 }),
  setsOf: () => [],
};
