import type { ErasedUsers, Repository } from '@storefront/mongo';
import type { Preferences } from '../domain/preferences.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Notifications } from '../store/notifications.ts';
import type { Recipients } from '../store/recipients.ts';
import type { Suppressions } from '../store/suppressions.ts';

export interface MessageErasureNeeds {
  readonly deliveries: Pick<Deliveries, 'erase' | 'registrationsOf'>;
  readonly erasedUsers: Pick<ErasedUsers, 'add' | 'among'>;
  readonly notifications: Pick<Notifications, 'eraseUser'>;
  readonly preferences: Pick<Repository<Preferences>, 'eraseMany'>;
  readonly recipients: Pick<Recipients, 'delete'>;
  readonly suppressions: Pick<Suppressions, 'remove'>;
}

/**
 * Erases the messages to a person and what decides which ones they get. `userId` may be the id of a registration. `email` is
 * null where another user may have the address by now.
 */
export async function eraseMessages(
  { deliveries, erasedUsers, notifications, preferences, recipients, suppressions }: MessageErasureNeeds,
  { userId, email }: { readonly userId: string; readonly email: string | null },
): Promise<void> {
  // Identity knows those that wait for their code; the one that was proved, only its mails name.
  if (email !== null) await erasedUsers.add(await deliveries.registrationsOf(email));
  await Promise.all([
    deliveries.erase(userId, email),
    notifications.eraseUser(userId),
    preferences.eraseMany({ _id: userId }),
    recipients.delete(userId),
    email === null ? undefined : suppressions.remove(email),
  ]);
}

/** Erases once more what was stored about those of the users who had been erased before. */
export async function eraseMessagesAgain(needs: MessageErasureNeeds, userIds: readonly string[]): Promise<void> {
  for (const userId of await needs.erasedUsers.among(userIds)) await eraseMessages(needs, { userId, email: null });
}
