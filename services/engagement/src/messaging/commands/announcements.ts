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
 * Begins to announce a campaign that is scheduled or active; an instance goes on with it. Called again with the same id
 * it changes nothing. Throws 404 where there is no such campaign, `campaign_not_in_state` and `too_many_announcements`.
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

/** `more`: it can go on at once. `wait`: others have to do something first. `over`: all of its messages have ended. */
type Progress = 'more' | 'wait' | 'over';

/** How many mails of an announcement are due at once, at most, so that stopping one ends most of it. */
const maxDue = 2 * pageSize;

/**
 * Does the next piece of an announcement. Nobody gets it twice, and nobody who was there when it began is left out:
 * also where this process ends midway, or several instances work on it at the same time.
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

/** Withdraws what was not sent of a stopped announcement. */
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
