import {
  audited,
  changed,
  engagementErrors,
  engagementHttp,
  notFound,
  system,
  unchanged,
  withFacts,
  type Actor,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';

/** How many mails have ended how. A mail that was not sent is counted by the reason. */
const endedMails = z.object({
  delivered: z.int(),
  failed: z.int(),
  switched_off_by_user: z.int(),
  address_bounced: z.int(),
  announcement_stopped: z.int(),
  recipient_erased: z.int(),
});
type EndedMails = StateOf<typeof endedMails>;

/** A message of staff to the people of a campaign's segment, and how much of it has been sent. */
export const announcement = z.object({
  id: z.string(),
  campaignId: z.string(),
  /** The number of the announcement within the campaign, from 1. */
  number: z.int(),
  /** The campaign's segment when the announcement began. */
  segment: z.enum(['all', 'retail', 'trade']),
  channels: z.array(engagementHttp.announcementChannel),
  title: z.string(),
  body: z.string(),
  html: z.string().nullable(),
  subject: z.string().nullable(),
  status: engagementHttp.announcementStatus,
  /** The id of the last person whose messages are stored; empty before the first person. */
  position: z.string(),
  /** Whether all people were reached: nobody comes after `position`. */
  isThrough: z.boolean(),
  /** How many people of the segment come up to `position`. */
  recipients: z.int(),
  /** How many of these people see the announcement in the app. */
  shown: z.int(),
  /** What came of the mails; null until all have ended. Until then the deliveries are counted. */
  mails: endedMails.nullable(),
  /** The instance that works on the announcement, by the id of its lease. */
  holder: z.string().nullable(),
  startedAt: z.date(),
  /** When the last message of the announcement had ended. */
  finishedAt: z.date().nullable(),
});
export type Announcement = StateOf<typeof announcement>;

/** How many deliveries there are, by status; suppressed ones by their reason. */
export type MailCounts = Partial<EndedMails> & { readonly pending?: number };

export const noMails: EndedMails = {
  delivered: 0,
  failed: 0,
  switched_off_by_user: 0,
  address_bounced: 0,
  announcement_stopped: 0,
  recipient_erased: 0,
};

type NewAnnouncement = Pick<
  Announcement,
  'id' | 'campaignId' | 'segment' | 'channels' | 'title' | 'body' | 'html' | 'subject'
>;

/** The most announcements of a campaign, so that no campaign fills the database. */
const maxOfCampaign = 100;

/**
 * Returns a new announcement of a campaign that has
 * `present` announcements already, and the facts about the new one. Throws `too_many_announcements` where the campaign
 * has the maximum already.
 */
export function beginAnnouncement(
  fields: NewAnnouncement,
  present: number,
  actor: Actor,
  now: Date,
): { readonly state: Announcement; readonly facts: readonly Fact[] } {
  if (present >= maxOfCampaign) throw engagementErrors.tooManyAnnouncements(maxOfCampaign);
  const { id, campaignId, channels } = fields;
  const details = { campaignId, channels: channels.join() };
  const object = { type: 'announcement', id };
  const state: Announcement = {
    ...fields,
    number: present + 1,
    status: 'running',
    position: '',
    isThrough: false,
    recipients: 0,
    shown: 0,
    mails: null,
    holder: null,
    startedAt: now,
    finishedAt: null,
  };
  return { state, facts: [audited('engagement', actor, 'campaign-announced', { object, details })] };
}

/**
 * Gives an announcement that is not over to an instance. The result is null where another instance that has not ended
 * already has the announcement.
 */
export function holdAnnouncement(
  current: Announcement | null,
  holder: string,
  endedHolder: string | null,
): Decision<Announcement, Announcement | null> {
  if (current === null || current.finishedAt !== null) return unchanged(null);
  if (current.holder === holder) return unchanged(current);
  if (current.holder !== null && current.holder !== endedHolder) return unchanged(null);
  return changed({ ...current, holder }, []);
}

/** The page of people after `from` whose messages were stored. */
export interface Reached {
  readonly from: string;
  readonly to: string;
  readonly recipients: number;
  readonly shown: number;
  readonly isThrough: boolean;
}

/**
 * Counts a page of people and moves the position past them. Each page is counted once, however often and by whichever
 * instances its messages are stored. A stopped announcement counts its pages too.
 */
export function advance(
  current: Announcement | null,
  { from, to, recipients, shown, isThrough }: Reached,
): Decision<Announcement, null> {
  if (current === null || current.finishedAt !== null || current.position !== from) return unchanged(null);
  return changed(
    {
      ...current,
      position: to,
      isThrough,
      recipients: current.recipients + recipients,
      shown: current.shown + shown,
    },
    [],
    null,
  );
}

/**
 * Stops an announcement. An announcement that has ended does not change. Throws where the announcement does not exist
 * or belongs to another campaign. Without an actor, the system stops it because its campaign has ended.
 */
export function stopAnnouncement(
  current: Announcement | null,
  campaignId: string,
  actor: Actor = system,
): Decision<Announcement, Announcement> {
  if (current?.campaignId !== campaignId) throw notFound('announcement');
  if (current.status !== 'running') return unchanged(current);
  const object = { type: 'announcement', id: current.id };
  const stopped: Announcement = { ...current, status: 'stopped' };
  return withFacts(
    changed(stopped, []),
    audited('engagement', actor, 'announcement-stopped', { object, details: { campaignId } }),
  );
}

/**
 * Ends an announcement that is stopped or has reached everybody, and has no pending deliveries. Its deliveries are
 * deleted later, but their counts stay. The result is whether this call ended it.
 */
export function finishAnnouncement(
  current: Announcement | null,
  { pending = 0, ...mails }: MailCounts,
  now: Date,
): Decision<Announcement, boolean> {
  if (current === null || current.finishedAt !== null || pending > 0) return unchanged(false);
  const isOver = current.status === 'stopped' || current.isThrough;
  if (!isOver) return unchanged(false);
  const status = current.status === 'stopped' ? 'stopped' : 'finished';
  return changed({ ...current, status, mails: { ...noMails, ...mails }, holder: null, finishedAt: now }, [], true);
}

/**
 * Returns how many messages were sent, skipped and failed. `mails` counts the deliveries; it is used only until the
 * announcement has finished.
 */
export function countsOf(
  { channels, recipients, shown, mails: ended }: Announcement,
  mails: MailCounts,
): Pick<engagementHttp.AnnouncementBody, 'sent' | 'skipped' | 'failed'> {
  const { pending = 0, ...counted }: MailCounts = ended ?? mails;
  const { switched_off_by_user: unsubscribed, delivered, failed, ...skipped } = { ...noMails, ...counted };
  const requested = pending + Object.values(counted).reduce((sum, count) => sum + count, 0);
  // Without `max` this could be negative: while the messages of a page are being stored, their people are not counted
  // yet.
  const unwanted = Math.max(0, recipients * channels.length - shown - requested);
  return { sent: shown + delivered, skipped: { no_consent: unwanted + unsubscribed, ...skipped }, failed };
}
