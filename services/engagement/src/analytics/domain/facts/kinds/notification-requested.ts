import { engagementEvents } from '@storefront/contracts';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutNotification, countNotification, notificationData, type NotificationData } from '../notification.ts';

/** A message is to be sent, or only to be kept. */
export const notificationRequested: FactKind<'notification-requested', NotificationData> = {
  name: 'notification-requested',
  data: notificationData,
  tellers: [toldBy(engagementEvents.notificationRequested, ({ time, data }) => aboutNotification(time, data))],
  countsOf: ({ data }) => countNotification(data, { requested: 1 }),
  setsOf: () => [],
};
