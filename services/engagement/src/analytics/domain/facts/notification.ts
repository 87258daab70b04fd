import type { engagementEvents, EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from './count.ts';
import type { StatedFact } from './fact.ts';

/** What facts about a message keep of it. */
export const notificationData = z.object({
  channel: z.enum(['IN_APP', 'EMAIL', 'SMS', 'PUSH']),
  category: z.string(),
});
export type NotificationData = z.infer<typeof notificationData>;

type Told = Pick<
  EventOf<typeof engagementEvents.notificationRead>['data'],
  'channel' | 'category' | 'userId' | 'segment'
>;

/** A fact about a message, without more of it than its channel and category. */
export function aboutNotification(
  at: string,
  { channel, category, userId, segment = 'guest' }: Told,
): StatedFact<NotificationData> {
  return { at: new Date(at), segment, by: userId === null ? null : { userId }, data: { channel, category } };
}

/** Counts for the channel and category of the message, and for all messages together. */
export function countNotification(
  { channel, category }: NotificationData,
  measures: Readonly<Record<string, number>>,
): readonly Count[] {
  return ['', `${channel} ${category}`].map((of) => ({ family: 'notifications', of, measures }));
}
