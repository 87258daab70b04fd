import type { Actor } from '@storefront/contracts';
import { stopAnnouncement, type Announcement } from '../domain/announcement.ts';
import type { Announcements } from '../store/announcements.ts';

interface Needs {
  readonly announcements: Pick<Announcements, 'change'>;
}

/**
 * Stops an announcement of the campaign: from then on no sender takes a mail of it. One that has ended stays as it is. Throws
 * 404 where the campaign has no such announcement.
 */
export async function stopAnnouncementOf(
  { announcements }: Needs,
  campaignId: string,
  id: string,
  actor: Actor,
): Promise<Announcement> {
  const { result } = await announcements.change(id, (current) => stopAnnouncement(current, campaignId, actor));
  return result;
}
