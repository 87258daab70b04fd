import type { Repository } from '@storefront/mongo';
import { loadPreferences } from './load-preferences.ts';
import { allows, type Preferences } from '../domain/preferences.ts';
import type { Recipients } from '../store/recipients.ts';
import { shownFacts } from '../domain/notification-facts.ts';
import { isRole, type NewNotification } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

export interface NotificationNeeds {
  readonly notifications: Pick<Notifications, 'insert'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
  readonly recipients: Pick<Recipients, 'segmentOf'>;
  readonly changes: Pick<NotificationChanges, 'publish'>;
  readonly now: () => Date;
}

/**
 * Adds a notification to the list of its audience, and tells of it, unless `hasDelivery`: then its delivery tells. Called again with
 * the same id it changes nothing. Returns false where the user has switched such notifications off.
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
  // No preferences apply to these, so there is no need to load any.
  if (category === 'security' || isRole(audience)) return true;
  const { state } = await loadPreferences(preferences, audience);
  return allows(state, category, 'IN_APP');
}
