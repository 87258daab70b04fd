import type { engagementHttp, Fact } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { isSingleAddress } from '../domain/email-address.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';
import { loadPreferences } from './load-preferences.ts';
import { allows, type Preferences } from '../domain/preferences.ts';
import { endOfQuietHours } from '../domain/quiet-hours.ts';
import { isDue, type MessageDelivery, type NewDelivery } from '../domain/delivery.ts';
import { recordDelivery, type RecordNeeds } from './record-delivery.ts';

export interface MailNeeds extends RecordNeeds {
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
  /** Sends a delivery that is due without waiting until the sender finds it. */
  readonly sendNow: (due: Loaded<MessageDelivery>) => void;
  /** The database's time, which decides what is due. */
  readonly databaseNow: () => Date;
}

export interface MailRequest {
  readonly to: string;
  /** The user whose preferences decide; null where the address is not known to be a user's. */
  readonly userId: string | null;
  readonly category: engagementHttp.Category;
  readonly mail: TemplatedMail;
  /** Of a mail that carries a code. Of several with the same purpose, the one with the highest sequence is sent. */
  readonly code?: {
    readonly sealed: string;
    readonly expiresAt: Date;
    readonly purpose: string;
    readonly sequence: number;
  };
}

/**
 * Requests a mail: it is sent at once, or after the user's quiet hours, or not at all where the user has switched it
 * off. The id is the delivery's; called again with the same id it changes nothing. `more` facts are stored with it.
 */
export async function requestMail(
  needs: MailNeeds,
  id: string,
  request: MailRequest,
  ...more: readonly Fact[]
): Promise<MessageDelivery> {
  const { to, userId, category, mail, code } = request;
  const start = await startOf(needs, request);
  const delivery = await recordDelivery(
    needs,
    {
      id,
      channel: 'EMAIL',
      category,
      template: mail.template,
      userId,
      email: to,
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

/** Whether the mail is sent, and when. */
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
