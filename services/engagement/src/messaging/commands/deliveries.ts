import { audited, withFacts, type Actor, type engagementHttp, type Fact, type Reading } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import {
  announcementStopped,
  createDelivery,
  isDue,
  restartDelivery,
  type MessageDelivery,
  type NewDelivery,
} from '../domain/delivery.ts';
import { isSingleAddress } from '../domain/email-address.ts';
import { allows, isOptIn, type Preferences } from '../domain/preferences.ts';
import { endOfQuietHours } from '../domain/quiet-hours.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';
import type { Announcements } from '../store/announcements.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Recipients } from '../store/recipients.ts';
import type { Suppressions } from '../store/suppressions.ts';
import { loadPreferences } from './preferences.ts';

interface RecordNeeds {
  readonly deliveries: Pick<Deliveries, 'change'>;
  readonly recipients: Pick<Recipients, 'segmentOf'>;
  readonly now: () => Date;
}

interface SendNeeds {
  /** Sends a due delivery now, instead of when the sender's next search finds it. */
  readonly sendNow: (due: Loaded<MessageDelivery>) => void;
  /** Returns the database's time, which decides whether a delivery is due. */
  readonly databaseNow: () => Date;
}

export interface MailNeeds extends RecordNeeds, SendNeeds {
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
}

export interface MailRequest {
  readonly to: string;
  /** The user whose preferences decide whether the mail is sent; null where no user is known for the address. */
  readonly userId: string | null;
  /** How the reader wants to be written to. */
  readonly reading: Reading;
  readonly category: engagementHttp.Category;
  readonly mail: TemplatedMail;
  /**
   * The code in the mail, if there is one. Of several mails with the same purpose, only the one with the highest
   * sequence is sent.
   */
  readonly code?: NonNullable<MessageDelivery['code']> & { readonly purpose: string; readonly sequence: number };
}

/**
 * Stores a delivery together with the facts in `more`. A second call with the same id changes nothing and returns the
 * stored delivery.
 */
export async function recordDelivery(
  { deliveries, recipients, now }: RecordNeeds,
  delivery: Omit<NewDelivery, 'segment'>,
  ...more: readonly Fact[]
): Promise<Loaded<MessageDelivery>> {
  const segment = delivery.userId === null ? 'guest' : await recipients.segmentOf(delivery.userId);
  const added: NewDelivery = { ...delivery, ...(segment && { segment }) };
  // The delivery is most likely new, so this writes it without reading first.
  const { result, version } = await deliveries.change(
    delivery.id,
    (current) => withFacts(createDelivery(current, added, now()), ...more),
    null,
  );
  return { state: result, version };
}

/**
 * Requests a mail. The mail is sent at once, or after the user's quiet hours, or not at all where the user has switched
 * such mail off. `id` is the delivery's id; a second call with the same id changes nothing. The facts in `more` are
 * stored with the delivery.
 */
export async function requestMail(
  needs: MailNeeds,
  id: string,
  request: MailRequest,
  ...more: readonly Fact[]
): Promise<MessageDelivery> {
  const { to: email, userId, reading, category, mail, code } = request;
  const start = await startOf(needs, request);
  const delivery = await recordDelivery(
    needs,
    {
      id,
      channel: 'EMAIL',
      category,
      template: mail.template,
      userId,
      email,
      ...reading,
      mail,
      ...(code && {
        code: { sealed: code.sealed, expiresAt: code.expiresAt },
        purpose: code.purpose,
        sequence: code.sequence,
      }),
      start,
    },
    ...more,
  );
  if (isDue(delivery.state, needs.databaseNow())) needs.sendNow(delivery);
  return delivery.state;
}

/** Decides whether the mail is sent, and when. */
async function startOf(
  { preferences, now, databaseNow }: MailNeeds,
  { to, userId, category }: MailRequest,
): Promise<NewDelivery['start']> {
  if (!isSingleAddress(to)) return { status: 'failed', reason: 'invalid_address' };
  if (category === 'security' || userId === null) return { status: 'pending', dueAt: databaseNow() };
  const { state } = await loadPreferences(preferences, userId);
  if (!allows(state, category, 'EMAIL')) return { status: 'recorded', reason: 'switched_off_by_user' };
  return { status: 'pending', dueAt: endOfQuietHours(state.quietHours, now()) ?? databaseNow() };
}

interface ObjectionNeeds {
  readonly announcements: Pick<Announcements, 'status'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
}

/**
 * Returns as a code why a requested mail must not be sent any more: its announcement was stopped, or the recipient has
 * unsubscribed since. Returns null where the mail may be sent.
 */
export async function objectionToMail(
  { announcements, preferences }: ObjectionNeeds,
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

interface RetryNeeds extends SendNeeds {
  readonly deliveries: Pick<Deliveries, 'change'>;
  readonly suppressions: Pick<Suppressions, 'remove'>;
}

/**
 * Sends a failed or suppressed delivery again. Throws 404 where there is no such delivery, and 409 where it is in
 * another status.
 */
export async function retryDelivery(
  { deliveries, suppressions, sendNow, databaseNow }: RetryNeeds,
  id: string,
  actor: Actor,
): Promise<MessageDelivery> {
  const { result: state, version } = await deliveries.change(id, (current) => {
    const about = current?.userId ?? null;
    const object = { type: 'delivery', id };
    return withFacts(
      restartDelivery(current, databaseNow()),
      audited('engagement', actor, 'delivery-retried', { object, about }),
    );
  });
  // Staff want this retry, so the address is tried again although it bounced.
  if (state.email !== null) await suppressions.remove(state.email);
  sendNow({ state, version });
  return state;
}
