import { engagementEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutNotification, countNotification, notificationData } from '../notification.ts';

const data = notificationData.extend({
  /** From the request of the message on. */
  minutes: z.number(),
});

const minuteMs = 60_000;

/** A user read a message for the first time. It counts when it was read. */
export const notificationRead: FactKind<'notification-read', z.infer<typeof data>> = {
  name: 'notification-read',
  data,
  tellers: [
    toldBy(engagementEvents.notificationRead, ({ data: told }) => {
      const stated = aboutNotification(told.readAt, told);
      const minutes = (Date.parse(told.readAt) - Date.parse(told.requestedAt)) / minuteMs;
      return { ...stated, data: { ...stated.data, minutes } };
    }),
  ],
  countsOf: ({ data: message }) =>
    countNotification(message, { read: 1 }).map((count) => ({ ...count, value: message.minutes })),
  setsOf: active,
};
