import type { Repository } from '@storefront/mongo';
import type { UserData } from '@storefront/user-data';
import type { Deliveries } from '../../messaging/store/deliveries.ts';
import { eraseRedemptions, type RedemptionErasureNeeds } from '../../promotions/commands/erase-redemptions.ts';
import type { FactStore } from '../../analytics/store/fact-store.ts';
import type { Suppressions } from '../../messaging/store/suppressions.ts';
import type { Recipients } from '../../messaging/store/recipients.ts';
import type { Notifications } from '../../messaging/store/notifications.ts';
import type { Preferences } from '../../messaging/domain/preferences.ts';

interface Needs extends RedemptionErasureNeeds {
  readonly deliveries: Deliveries;
  readonly facts: Pick<FactStore, 'forget'>;
  readonly userData: Pick<UserData, 'erasedUsers'>;
  readonly notifications: Notifications;
  readonly preferences: Repository<Preferences>;
  readonly recipients: Recipients;
  readonly suppressions: Suppressions;
}

/**
 * Erases all that is kept about a person. `userId` may be the id of a registration. `email` is null where another user may
 * have the address by now.
 */
export async function eraseUserData(
  needs: Needs,
  { userId, email }: { readonly userId: string; readonly email: string | null },
): Promise<void> {
  const { deliveries, facts, notifications, preferences, recipients, suppressions, userData } = needs;
  // Identity knows those that wait for their code; the one that was proved, only its mails name.
  if (email !== null) await userData.erasedUsers.add(await deliveries.registrationsOf(email));
  await Promise.all([
    deliveries.erase(userId, email),
    notifications.eraseUser(userId),
    preferences.eraseMany({ _id: userId }),
    recipients.delete(userId),
    facts.forget({ userId }),
    eraseRedemptions(needs, userId),
    email === null ? undefined : suppressions.remove(email),
  ]);
}
