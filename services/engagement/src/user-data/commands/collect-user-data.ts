import type { Repository } from '@storefront/mongo';
import type { Deliveries } from '../../deliveries/store/deliveries.ts';
import type { Recipients } from '../../messages/store/recipients.ts';
import type { Notifications } from '../../notifications/store/notifications.ts';
import type { Preferences } from '../../preferences/domain/preferences.ts';

interface Needs {
  readonly deliveries: Deliveries;
  readonly notifications: Notifications;
  readonly preferences: Repository<Preferences>;
  readonly recipients: Recipients;
}

/** All that is kept about a person, for the export. */
export async function collectUserData(
  { deliveries, notifications, preferences, recipients }: Needs,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<object> {
  const [own, sent, chosen, recipient] = await Promise.all([
    notifications.ofUser(userId),
    deliveries.toPerson(userId, email),
    preferences.load(userId),
    recipients.find(userId),
  ]);
  return {
    recipient,
    preferences: chosen && { types: chosen.state.types, quietHours: chosen.state.quietHours },
    notifications: own.map(({ audience: _audience, ...notification }) => notification),
    deliveries: sent.map((delivery) => {
      const { id, channel, category, template, email: to, status, createdAt, deliveredAt } = delivery;
      return { id, channel, category, template, email: to, status, createdAt, deliveredAt };
    }),
  };
}
