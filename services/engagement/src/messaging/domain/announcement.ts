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

/** What an administrator announces to the people of a campaign's segment, and how far it has come. */
export const announcement = z.object({
  id: z.string(),
  campaignId: z.string(),
  /** Its number within the campaign, from 1. */
  number: z.int(),
  /** Of the campaign, when it was announced. */
  segment: z.enum(['all', 'retail', 'trade']),
  channels: z.array(engagementHttp.announcementChannel),
  title: z.string(),
  body: z.string(),
  html: z.string().nullable(),
  subject: z.string().nullable(),
  status: engagementHttp.announcementStatus,
  /** The id of the last person whose messages are stored; empty before the first. */
  position: z.string(),
  /** Whether there is nobody after `position`. */
  isThrough: z.boolean(),
  /** The people of the segment up to `position`. */
  recipients: z.int(),
  /** How many of them it is shown to in the app. */
  shown: z.int(),
  /** How many of its mails were delivered and failed, once all have ended. Until then their deliveries are counted. */
  mails: z.object({ delivered: z.int(), failed: z.int() }).nullable(),
  /** The instance that works on it, by the id of its lease. */
  holder: z.string().nullable(),
  startedAt: z.date(),
  /** When its last message had ended. */
  finishedAt: z.date().nullable(),
});
export type Announcement = StateOf<typeof announcement>;

/** Deliveries by their status. */
export type MailCounts = Readonly<Partial<Record<engagementHttp.DeliveryBody['status'], number>>>;

type NewAnnouncement = Pick<
  Announcement,
  'id' | 'campaignId' | 'segment' | 'channels' | 'title' | 'body' | 'html' | 'subject'
>;

/** More are refused, so that no campaign fills the database. */
const maxOfCampaign = 100;

/**
 * A new announcement of a campaign that has `present` ones, and the facts about it. Throws `too_many_announcements`
 * where it has as many as it may.
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

/** Takes an announcement that is not over; the result is null where another instance that has not ended has it. */
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

/** The people after `from`, whose messages are stored now. */
export interface Reached {
  readonly from: string;
  readonly to: string;
  readonly recipients: number;
  readonly shown: number;
  readonly isThrough: boolean;
}

/**
 * Goes on to the next people. Those of the same position are counted once, however often their messages are stored and
 * by which instance; also where the announcement was stopped meanwhile.
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
 * Stops an announcement; one that has ended stays as it is. Throws where there is none, or where it is of another
 * campaign. Without an actor, it is stopped with its campaign.
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

/** Ends an announcement without pending deliveries. They are deleted after a while; their counts stay. */
export function finishAnnouncement(
  current: Announcement | null,
  { pending = 0, delivered = 0, failed = 0 }: MailCounts,
  now: Date,
): Decision<Announcement, boolean> {
  if (current === null || current.finishedAt !== null || pending > 0) return unchanged(false);
  const isOver = current.status === 'stopped' || current.isThrough;
  if (!isOver) return unchanged(false);
  const status = current.status === 'stopped' ? 'stopped' : 'finished';
  return changed({ ...current, status, mails: { delivered, failed }, holder: null, finishedAt: now }, [], true);
}

/** How many messages were sent, skipped and failed. `mails` are those of an announcement that has not finished. */
export function countsOf(
  { channels, recipients, shown, mails: ended }: Announcement,
  mails: MailCounts,
): { readonly sent: number; readonly skipped: number; readonly failed: number } {
  const { delivered = 0, failed = 0 } = ended ?? mails;
  const pending = ended === null ? (mails.pending ?? 0) : 0;
  const sent = shown + delivered;
  // While the messages of a page are being stored, their people are not counted yet.
  const skipped = Math.max(0, recipients * channels.length - sent - failed - pending);
  return { sent, skipped, failed };
}
