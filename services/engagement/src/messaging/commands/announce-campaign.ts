import { engagementErrors, notFound, type Actor, type engagementHttp } from '@storefront/contracts';
import { beginAnnouncement, type Announcement } from '../domain/announcement.ts';
import type { Announcements } from '../store/announcements.ts';
import type { Promotions } from '../../promotions/promotions.ts';

interface Needs {
  readonly announcements: Pick<Announcements, 'add'>;
  readonly findCampaign: Promotions['findCampaign'];
  readonly databaseNow: () => Date;
}

/**
 * Begins to announce a campaign that is scheduled or active; an instance goes on with it. Called again with the same id it
 * changes nothing. Throws 404 where there is no such campaign, `campaign_not_in_state` and `too_many_announcements`.
 */
export async function announceCampaign(
  { announcements, findCampaign, databaseNow }: Needs,
  id: string,
  campaignId: string,
  { channels, title, body, html, subject }: engagementHttp.AnnouncementToSend,
  actor: Actor,
): Promise<Announcement> {
  const campaign = await findCampaign(campaignId);
  if (campaign === null) throw notFound('campaign');
  const { status, segment } = campaign;
  if (status !== 'scheduled' && status !== 'active') throw engagementErrors.campaignNotInState(status);
  const fields = { id, campaignId, segment, channels, title, body, html: html ?? null, subject: subject ?? null };
  return announcements.add({ id, campaignId }, (present) => beginAnnouncement(fields, present, actor, databaseNow()));
}
