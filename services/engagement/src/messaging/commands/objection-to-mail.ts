import type { Repository } from '@storefront/mongo';
import { announcementStopped, type MessageDelivery } from '../domain/delivery.ts';
import { loadPreferences } from './load-preferences.ts';
import { allows, isOptIn, type Preferences } from '../domain/preferences.ts';
import type { Announcements } from '../store/announcements.ts';

interface Needs {
  readonly announcements: Pick<Announcements, 'status'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
}

/**
 * Why a mail that was requested is not to be sent any more, as a code: its announcement was stopped, or its reader has
 * unsubscribed since. Null where it is to be sent.
 */
export async function objectionToMail(
  { announcements, preferences }: Needs,
  { announcementId, category, userId }: Pick<MessageDelivery, 'announcementId' | 'category' | 'userId'>,
): Promise<string | null> {
  if (!isOptIn(category) || userId === null) return null;
  const [status, { state }] = await Promise.all([
    announcementId === null ? null : announcements.status(announcementId),
    loadPreferences(preferences, userId),
  ]);
  if (status === 'stopped') return announcementStopped;
  return allows(state, category, 'EMAIL') ? null : 'switched_off_by_user';
}
