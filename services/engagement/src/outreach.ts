import type { engagementHttp } from '@storefront/contracts';
import type { Aggregates, Loaded } from '@storefront/outbox';
import { request } from './domain/delivery.ts';
import type { Delivery, Draft } from './domain/delivery.ts';
import type { Mail } from './domain/mails/mails.ts';
import type { Notice } from './domain/notification.ts';
import { allows, preferencesOf, quietUntil } from './domain/preferences.ts';
import type { Preferences } from './domain/preferences.ts';
import { isSingleAddress } from './domain/recipient.ts';
import type { Hub } from './live/hub.ts';
import type { Deliveries } from './store/deliveries.ts';
import type { Notifications } from './store/notifications.ts';

export interface OutgoingMail {
  readonly to: string;
  /** Whose preferences decide; null where the address belongs to nobody known. */
  readonly userId: string | null;
  readonly category: engagementHttp.Category;
  readonly mail: Mail;
  /** For the mails that carry a code: newer ones for the same purpose replace older ones. */
  readonly code?: {
    readonly sealed: string;
    readonly expiresAt: Date;
    readonly purpose: string;
    readonly sequence: number;
  };
}

/**
 * Reaches people. Both ways take the id of what they make: asked twice under one id, they do it once.
 */
export interface Outreach {
  mail(id: string, outgoing: OutgoingMail): Promise<Delivery>;
  /** Whether it is in the list now; false where its reader does not want such notifications. */
  notify(id: string, notice: Notice): Promise<boolean>;
  /** Keeps a delivery that needs no sending. */
  keep(draft: Draft): Promise<Delivery>;
}

export function createOutreach(parts: {
  deliveries: Deliveries;
  notifications: Notifications;
  preferences: Aggregates<Preferences>;
  hub: Hub;
  nudge: (due: Loaded<Delivery>) => void;
  now: () => Date;
}): Outreach {
  const { deliveries, notifications, hub, now } = parts;

  async function preferencesFor(userId: string | null): Promise<Preferences | null> {
    if (userId === null || userId.startsWith('role:')) return null;
    return (await parts.preferences.load(userId))?.state ?? preferencesOf(userId);
  }

  async function startOf({ to, userId, category }: OutgoingMail): Promise<Draft['start']> {
    if (!isSingleAddress(to)) return { status: 'failed', reason: 'invalid_address' };
    if (category === 'security') return { status: 'pending', dueAt: now() };
    const preferences = await preferencesFor(userId);
    if (preferences && !allows(preferences, category, 'EMAIL'))
      return { status: 'recorded', reason: 'switched_off_by_user' };
    return { status: 'pending', dueAt: quietUntil(preferences?.quietHours ?? null, now()) ?? now() };
  }

  async function keepOnce(draft: Draft): Promise<Loaded<Delivery>> {
    // Seldom asked for twice.
    const { result, version } = await deliveries.change(draft.id, (current) => request(current, draft, now()), null);
    return { state: result, version };
  }

  return {
    keep: async (draft) => (await keepOnce(draft)).state,

    async mail(id, outgoing) {
      const { to, userId, category, mail, code } = outgoing;
      const kept = await keepOnce({
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
        start: await startOf(outgoing),
      });
      const { status, dueAt } = kept.state;
      if (status === 'pending' && dueAt !== null && dueAt <= now()) parts.nudge(kept);
      return kept.state;
    },

    async notify(id, notice) {
      const preferences = notice.category === 'security' ? null : await preferencesFor(notice.audience);
      if (preferences && !allows(preferences, notice.category, 'IN_APP')) return false;
      if (await notifications.insert({ id, ...notice, readAt: null, createdAt: now() })) hub.changed(notice.audience);
      return true;
    },
  };
}
