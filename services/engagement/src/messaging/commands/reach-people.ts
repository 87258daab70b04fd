import { derivedId, readingOf } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { beginDelivery, type NewDelivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';
import { isSingleAddress } from '../domain/email-address.ts';
import { isReached } from '../domain/segments.ts';
import type { Addressee, Recipients } from '../store/recipients.ts';
import { shownFacts } from '../domain/notification-facts.ts';
import type { AddedNotification } from '../domain/notification.ts';
import type { NotificationChanges } from '../live/changes.ts';
import type { Notifications } from '../store/notifications.ts';
import { allows, defaultPreferences, type Preferences } from '../domain/preferences.ts';
import { endOfQuietHours } from '../domain/quiet-hours.ts';
import type { Announcement, Reached } from '../domain/announcement.ts';

export interface ReachNeeds {
  readonly recipients: Pick<Recipients, 'after'>;
  readonly preferences: Pick<Repository<Preferences>, 'find'>;
  readonly deliveries: Pick<Deliveries, 'insertNew' | 'known'>;
  readonly notifications: Pick<Notifications, 'insertAll' | 'known'>;
  readonly changes: Pick<NotificationChanges, 'publish'>;
  /** Erases data that was stored about users after they had been erased. Does nothing for users who were not erased. */
  readonly eraseAgainOfErased: (userIds: readonly string[]) => Promise<void>;
  readonly now: () => Date;
  /** Returns the database's time, which decides whether a delivery is due. */
  readonly databaseNow: () => Date;
}

/** How many people are read at once. */
export const pageSize = 500;

const category = 'offers';

interface Person extends Addressee {
  readonly preferences: Preferences;
}

/**
 * Stores the messages of an announcement for the next people after its position. A second call for the same position
 * stores nothing twice, because the ids are derived from the announcement and the user.
 */
export async function reachPeople(needs: ReachNeeds, announcement: Announcement): Promise<Reached> {
  const { position: from, segment, channels } = announcement;
  const read = await needs.recipients.after(from, pageSize);
  const people = await withPreferences(
    needs,
    read.filter((person) => isReached(segment, person.segment)),
  );
  const shown = channels.includes('IN_APP') ? await showInApp(needs, announcement, people) : 0;
  if (channels.includes('EMAIL')) await requestMails(needs, announcement, people);
  // A user may have been erased since the page was read. Where this process was halted in between, that can be long
  // ago.
  await needs.eraseAgainOfErased(people.map(({ id }) => id));
  return { from, to: read.at(-1)?.id ?? from, recipients: people.length, shown, isThrough: read.length < pageSize };
}

/**
 * Finds out which of the next people have messages of a stopped announcement already. This happens where an instance
 * stored messages and ended before it counted them. Stores nothing.
 */
export async function countReached(needs: ReachNeeds, { id, position: from, segment }: Announcement): Promise<Reached> {
  const read = await needs.recipients.after(from, pageSize);
  const people = read.filter((person) => isReached(segment, person.segment));
  const [shown, mailed] = await Promise.all([
    needs.notifications.known(people.map((person) => notificationOf(id, person))),
    needs.deliveries.known(people.map((person) => deliveryOf(id, person))),
  ]);
  const reached = people.filter(
    (person) => shown.has(notificationOf(id, person)) || mailed.has(deliveryOf(id, person)),
  );
  const to = read.at(-1)?.id ?? from;
  return { from, to, recipients: reached.length, shown: shown.size, isThrough: true };
}

const notificationOf = (announcementId: string, { id }: Addressee) => derivedId('ntf', announcementId, id);
/**
 * Returns the segment for statistics. A person whose segment is not known yet counts as a consumer, as in `isReached`.
 */
const segmentOf = ({ segment }: Addressee) => (segment === 'trade' ? 'trade' : 'retail');
const deliveryOf = (announcementId: string, { id }: Addressee) => derivedId('dlv', announcementId, id);

/** Adds to each person the person's preferences, with one read for all people. */
async function withPreferences({ preferences }: ReachNeeds, people: readonly Addressee[]): Promise<Person[]> {
  const found = await preferences.find({ _id: { $in: people.map(({ id }) => id) } });
  const chosen = new Map(found.map(({ state }) => [state.id, state]));
  return people.map((person) => ({ ...person, preferences: chosen.get(person.id) ?? defaultPreferences(person.id) }));
}

/** Shows the announcement in the app, and returns to how many people. */
async function showInApp(
  { notifications, changes, now }: ReachNeeds,
  { id, campaignId, title, body }: Announcement,
  people: readonly Person[],
): Promise<number> {
  const { wanted = [], unwanted = [] } = Object.groupBy(people, ({ preferences }) =>
    allows(preferences, category, 'IN_APP') ? 'wanted' : 'unwanted',
  );
  const message = {
    category,
    type: 'campaign-announced',
    title,
    body,
    data: { campaignId, announcementId: id },
  } as const;
  const createdAt = now();
  await notifications.insertAll(
    wanted.map((person): AddedNotification => {
      const segment = segmentOf(person);
      const shown = { id: notificationOf(id, person), audience: person.id, ...message, readAt: null, createdAt };
      return { notification: shown, segment, facts: shownFacts(shown, segment) };
    }),
  );
  changes.publish(wanted.map((person) => person.id));
  // Some people may have switched such notifications off after another instance stored theirs and ended. They count
  // too.
  return wanted.length + (await notifications.known(unwanted.map((person) => notificationOf(id, person)))).size;
}

async function requestMails(
  { deliveries, now, databaseNow }: ReachNeeds,
  { id }: Announcement,
  people: readonly Person[],
): Promise<void> {
  const wanted = people.filter(({ preferences }) => allows(preferences, category, 'EMAIL'));
  const added = wanted.map((person): NewDelivery => ({
    id: deliveryOf(id, person),
    channel: 'EMAIL',
    category,
    template: 'announcement',
    userId: person.id,
    segment: segmentOf(person),
    email: person.email,
    ...readingOf(person),
    mail: { template: 'announcement', data: { announcementId: id } },
    announcementId: id,
    start: isSingleAddress(person.email)
      ? { status: 'pending', dueAt: endOfQuietHours(person.preferences.quietHours, now()) ?? databaseNow() }
      : { status: 'failed', reason: 'invalid_address' },
  }));
  await deliveries.insertNew(added.map((delivery) => beginDelivery(delivery, now())));
}
