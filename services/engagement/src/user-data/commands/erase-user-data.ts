import type { Repository } from '@storefront/mongo';
import type { Deliveries } from '../../deliveries/store/deliveries.ts';
import type { Suppressions } from '../../mails/store/suppressions.ts';
import type { Recipients } from '../../messages/store/recipients.ts';
import type { Notifications } from '../../notifications/store/notifications.ts';
import type { Preferences } from '../../preferences/domain/preferences.ts';

interface Needs {
  readonly deliveries: Deliveries;
  readonly notifications: Notifications;
  readonly preferences: Repository<Preferences>;
  readonly recipients: Recipients;
  readonly suppressions: Suppressions;
}

/** Erases all that is kept about a person. `email` is null where another user may have the address by now. */
export async function eraseUserData(
  { deliveries, notifications, preferences, recipients, suppressions }: Needs,
  { userId, email }: { readonly userId: string; readonly email: string | null },
): Promise<void> {
  await Promise.all([
    deliveries.erase(userId, email),
    notifications.eraseUser(userId),
    preferences.eraseMany({ _id: userId }),
    recipients.delete(userId),
    email === null ? undefined : suppressions.remove(email),
  ]);
}
