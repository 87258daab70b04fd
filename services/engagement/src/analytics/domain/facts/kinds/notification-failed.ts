import { engagementEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutNotification, countNotification, notificationData } from '../notification.ts';

const data = notificationData.extend({
  /** It was not to be sent any more, or not to that address; otherwise it could not be sent. */
  isSuppressed: z.boolean(),
});

const suppressions: ReadonlySet<string> = new Set(['address_bounced', 'switched_off_by_user', 'announcement_stopped']);

/** A message will not be sent. */
export const notificationFailed: FactKind<'notification-failed', z.infer<typeof data>> = {
  name: 'notification-failed',
  data,
  tellers: [
    toldBy(engagementEvents.notificationFailed, ({ time, data: told }) => {
      const stated = aboutNotification(time, told);
      return { ...stated, data: { ...stated.data, isSuppressed: suppressions.has(told.reason) } };
    }),
  ],
  countsOf: ({ data: message }) => countNotification(message, { [message.isSuppressed ? 'suppressed' : 'failed']: 1 }),
  setsOf: () => [],
};
