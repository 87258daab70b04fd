import { changed, unchanged } from '@storefront/outbox';
import type { Aggregates } from '@storefront/outbox';
import type { Fact } from '@storefront/contracts';
import type { ErasedUsers } from '@storefront/service-kit';
import type { Preferences } from './domain/preferences.ts';
import { erased, exported } from './domain/user-data.ts';
import type { DataRequest } from './domain/user-data.ts';
import type { Outreach } from './outreach.ts';
import type { Deliveries } from './store/deliveries.ts';
import type { Notifications } from './store/notifications.ts';
import type { Recipients } from './store/recipients.ts';
import type { Suppressions } from './store/suppressions.ts';

interface Person {
  readonly userId: string;
  readonly email: string;
}

/** What is kept about people, as they may ask for it and have it erased. */
export interface UserData {
  /**
   * Erases all that is kept about the person, says so, and mails that it was done under the id `lastMailId`. `requestId` is
   * the event that asked for it: once answered it does nothing more.
   */
  erase(person: Person, requestId: string, lastMailId: string): Promise<void>;
  /** Erases what was written about the user while the erasure was under way. */
  eraseAgain(userId: string): Promise<void>;
  /** Hands in all that is kept about the person. */
  handIn(person: Person, requestId: string, exportId: string): Promise<void>;
}

export function createUserData(parts: {
  deliveries: Deliveries;
  notifications: Notifications;
  preferences: Aggregates<Preferences> & { remove(userId: string): Promise<void> };
  suppressions: Suppressions;
  recipients: Recipients;
  erasedUsers: ErasedUsers;
  requests: Aggregates<DataRequest>;
  outreach: Outreach;
  now: () => Date;
}): UserData {
  const { deliveries, notifications, preferences, suppressions, recipients, erasedUsers, requests, outreach } = parts;

  async function eraseUser(userId: string): Promise<void> {
    // First of all: whatever is written from here on is written by those who looked before.
    await erasedUsers.add(userId);
    await Promise.all([
      deliveries.eraseUser(userId),
      notifications.eraseUser(userId),
      preferences.remove(userId),
      recipients.forget(userId),
    ]);
  }

  async function answer(id: string, kind: DataRequest['kind'], told: Fact): Promise<void> {
    await requests.change(id, (known) =>
      known ? unchanged(null) : changed({ id, kind, answeredAt: parts.now() }, [told], null),
    );
  }

  return {
    eraseAgain: eraseUser,

    async erase({ userId, email }, requestId, lastMailId) {
      // Asked again much later, the email may be somebody else's.
      if (await requests.load(requestId)) return;
      await eraseUser(userId);
      await Promise.all([deliveries.eraseEmail(email), suppressions.remove(email)]);
      await outreach.mail(lastMailId, {
        to: email,
        userId: null,
        category: 'security',
        mail: { template: 'account-erased', data: {} },
      });
      await answer(requestId, 'erasure', erased(userId, requestId));
    },

    async handIn({ userId, email }, requestId, exportId) {
      const [own, sent, chosen, recipient] = await Promise.all([
        notifications.ofUser(userId),
        deliveries.ofPerson(userId, email),
        preferences.load(userId),
        recipients.find(userId),
      ]);
      const data = {
        recipient,
        preferences: chosen && { types: chosen.state.types, quietHours: chosen.state.quietHours },
        notifications: own.map(({ audience: _audience, ...notification }) => notification),
        deliveries: sent.map(({ id, channel, category, template, status, createdAt, deliveredAt, ...to }) => ({
          id,
          channel,
          category,
          template,
          email: to.email,
          status,
          createdAt,
          deliveredAt,
        })),
      };
      // As it travels: times as text.
      const plain = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
      await answer(requestId, 'export', exported(userId, exportId, plain));
    },
  };
}
