import { notFound } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { shownFacts } from '../domain/notification-facts.ts';
import { isRole, type NewNotification, type Notification, type Reader } from '../domain/notification.ts';
import { allows, type Preferences } from '../domain/preferences.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';
import type { Recipients } from '../store/recipients.ts';
import { loadPreferences } from './preferences.ts';

interface Needs {
  readonly notifications: Notifications;
  readonly changes: Pick<NotificationChanges, 'publish'>;
  readonly now: () => Date;
}

export interface NotificationNeeds extends Omit<Needs, 'notifications'> {
  readonly notifications: Pick<Notifications, 'insert'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
  readonly recipients: Pick<Recipients, 'segmentOf'>;
}

/**
 * Adds a notification to the list of its audience, and publishes the events about it. With `hasDelivery` it publishes
 * none, because the notification's delivery publishes the events. A second call with the same id changes nothing.
 * Returns false where the user has switched such notifications off.
 */
export async function addNotification(
  needs: NotificationNeeds,
  id: string,
  added: NewNotification,
  { hasDelivery = false }: { readonly hasDelivery?: boolean } = {},
): Promise<boolean> {
  const { notifications, recipients, changes, now } = needs;
  const { audience } = added;
  const [isShown, segment] = await Promise.all([
    isWanted(needs, added),
    isRole(audience) ? undefined : recipients.segmentOf(audience),
  ]);
  if (!isShown) return false;
  const notification = { id, ...added, readAt: null, createdAt: now() };
  const facts = hasDelivery ? [] : shownFacts(notification, segment);
  if (await notifications.insert({ notification, segment, facts })) changes.publish([audience]);
  return true;
}

async function isWanted(
  { preferences }: Pick<NotificationNeeds, 'preferences'>,
  { audience, category }: NewNotification,
): Promise<boolean> {
  // No preferences apply to these notifications, so none are loaded.
  if (category === 'security' || isRole(audience)) return true;
  const { state } = await loadPreferences(preferences, audience);
  return allows(state, category, 'IN_APP');
}

/**
 * Marks a notification as read at `readAt`, or as unread where `readAt` is null. A notification that is read already
 * keeps the time when it was first read. Throws 404 where the reader has no such notification.
 */
export async function markNotification(
  { notifications, changes }: Omit<Needs, 'now'>,
  reader: Reader,
  id: string,
  readAt: Date | null,
): Promise<Notification> {
  const marked = await notifications.mark(reader, id, readAt);
  if (marked === null) throw notFound('notification');
  changes.publish([reader.userId]);
  return marked;
}

/** Marks all of the reader's notifications as read. In the result, `updated` is how many were unread before. */
export async function markAllRead(
  { notifications, changes, now }: Needs,
  reader: Reader,
): Promise<{ updated: number; unreadCount: number }> {
  const updated = await notifications.markAllRead(reader, now());
  changes.publish([reader.userId]);
  return { updated, unreadCount: await notifications.countUnread(reader) };
}

/** Deletes a notification from the reader's list. Throws 404 where the reader has no such notification. */
export async function deleteNotification(
  { notifications, changes }: Omit<Needs, 'now'>,
  reader: Reader,
  id: string,
): Promise<void> {
  if (!(await notifications.delete(reader, id))) throw notFound('notification');
  changes.publish([reader.userId]);
}
