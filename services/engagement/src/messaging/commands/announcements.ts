import { engagementErrors, notFound, type Actor, type engagementHttp } from '@storefront/contracts';
import type { Promotions } from '../../promotions/promotions.ts';
import {
  advance,
  beginAnnouncement,
  finishAnnouncement,
  stopAnnouncement,
  type Announcement,
} from '../domain/announcement.ts';
import { announcementStopped, withdrawDelivery } from '../domain/delivery.ts';
import type { Announcements } from '../store/announcements.ts';
import type { Deliveries } from '../store/deliveries.ts';
import { countReached, pageSize, reachPeople, type ReachNeeds } from './reach-people.ts';

interface BeginningNeeds {
  readonly announcements: Pick<Announcements, 'add'>;
  readonly findCampaign: Promotions['findCampaign'];
  readonly databaseNow: () => Date;
}

/**
 * Begins to announce a campaign that is scheduled or active. An instance of the service then sends the messages. A
 * second call with the same id changes nothing. Throws 404 where the campaign does not exist,
 * `campaign_not_in_state` and `too_many_announcements`.
 */
export async function announceCampaign(
  { announcements, findCampaign, databaseNow }: BeginningNeeds,
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

export interface ContinuationNeeds extends ReachNeeds {
  readonly announcements: Pick<Announcements, 'change' | 'load'>;
  readonly findCampaign: Promotions['findCampaign'];
  readonly deliveries: Pick<Deliveries, 'change' | 'insertNew' | 'known' | 'countOf' | 'countDueOf' | 'withdrawable'>;
}

/**
 * `more`: the next piece can be done at once. `wait`: something else must happen first. `over`: all messages of the
 * announcement have ended.
 */
type Progress = 'more' | 'wait' | 'over';

/**
 * The most mails of an announcement that are due at once. The number is small, so that a stop still prevents most
 * mails.
 */
const maxDue = 2 * pageSize;

/**
 * Does the next piece of an announcement. Nobody gets the announcement twice, and nobody who was a user when it began
 * is left out. This also holds where this process ends midway, or where several instances work on the announcement at
 * once.
 */
export async function continueAnnouncement(needs: ContinuationNeeds, id: string): Promise<Progress> {
  const found = await needs.announcements.load(id);
  if (found === null || found.state.finishedAt !== null) return 'over';
  if (found.state.status === 'stopped') return end(needs, found.state);
  const { campaignId, isThrough, channels } = found.state;
  const campaign = await needs.findCampaign(campaignId);
  if (campaign === null || campaign.status === 'ended') {
    await needs.announcements.change(id, (current) => stopAnnouncement(current, campaignId));
    return 'more';
  }
  if (isThrough) return finish(needs, id);
  if (campaign.status === 'paused') return 'wait';
  if (channels.includes('EMAIL') && !(await hasRoom(needs, id))) return 'wait';
  const reached = await reachPeople(needs, found.state);
  await needs.announcements.change(id, (current) => advance(current, reached));
  return 'more';
}

async function hasRoom({ deliveries, databaseNow }: ContinuationNeeds, id: string): Promise<boolean> {
  return (await deliveries.countDueOf(id, databaseNow(), maxDue)) <= maxDue - pageSize;
}

/** Withdraws the mails of a stopped announcement that were not sent yet. */
async function end(needs: ContinuationNeeds, announcement: Announcement): Promise<Progress> {
  const { announcements, deliveries, databaseNow } = needs;
  const { id, isThrough } = announcement;
  if (!isThrough) {
    const reached = await countReached(needs, announcement);
    await announcements.change(id, (current) => advance(current, reached));
  }
  const pending = await deliveries.withdrawable(id, pageSize);
  if (pending.length === 0) return finish(needs, id);
  await Promise.all(
    pending.map((known) =>
      deliveries.change(
        known.state.id,
        (current) => withdrawDelivery(current, announcementStopped, databaseNow()),
        known,
      ),
    ),
  );
  return 'more';
}

async function finish({ announcements, deliveries, databaseNow }: ContinuationNeeds, id: string): Promise<Progress> {
  const counts = await deliveries.countOf(id);
  const { result } = await announcements.change(id, (current) => finishAnnouncement(current, counts, databaseNow()));
  return result ? 'over' : 'wait';
}
