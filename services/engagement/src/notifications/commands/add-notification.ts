import type { Repository } from '@storefront/mongo';
import { loadPreferences } from '../../preferences/commands/load-preferences.ts';
import { allows } from '../../preferences/domain/preferences.ts';
import type { Preferences } from '../../preferences/domain/preferences.ts';
import { isRole } from '../domain/notification.ts';
import type { NewNotification } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';

export interface NotificationNeeds {
  readonly notifications: Pick<Notifications, 'insert'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
  readonly changes: Pick<NotificationChanges, 'publish'>;
  readonly now: () => Date;
}

/**
 * Adds a notification to the list of its audience; called again with the same id it changes nothing. Returns false
 * where the user has switched such notifications off.
 */
export async function addNotification(
  needs: NotificationNeeds,
  id: string,
  notification: NewNotification,
): Promise<boolean> {
  const { notifications, changes, now } = needs;
  if (!(await isWanted(needs, notification))) return false;
  const isNew = await notifications.insert({ id, ...notification, readAt: null, createdAt: now() });
  if (isNew) changes.publish(notification.audience);
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
