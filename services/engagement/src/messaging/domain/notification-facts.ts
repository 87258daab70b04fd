import { engagementEvents, fact, type Fact } from '@storefront/contracts';
import type { MessageSegment } from './segments.ts';
import { isRole, type Notification } from './notification.ts';

/**
 * Returns the facts about a notification that is now in its user's list. A notification for a role has no facts,
 * because it is not known how many users have the role.
 */
export function shownFacts(
  { id, audience, category, type }: Notification,
  segment: MessageSegment | undefined,
): readonly Fact[] {
  if (isRole(audience)) return [];
  const about = { category, template: type, userId: audience, ...(segment && { segment }) };
  const message = { channel: 'IN_APP', ...about } as const;
  return [
    fact(engagementEvents.notificationRequested, id, { ...message, recorded: false }),
    fact(engagementEvents.notificationDelivered, id, { ...message, attempts: 0 }),
  ];
}
