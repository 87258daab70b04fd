import { allPages } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import type { Preferences } from '../domain/preferences.ts';
import type { Deliveries, ListedDelivery } from '../store/deliveries.ts';
import type { Notifications } from '../store/notifications.ts';
import type { Recipients } from '../store/recipients.ts';

interface Needs {
  readonly deliveries: Pick<Deliveries, 'list'>;
  readonly notifications: Pick<Notifications, 'list'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
  readonly recipients: Pick<Recipients, 'find'>;
}

const readAtOnce = 200;

/** The messages to a person and what decides which ones they get, for the export, in parts. */
export async function* collectMessages(
  { deliveries, notifications, preferences, recipients }: Needs,
  { userId, email }: { readonly userId: string; readonly email: string },
): AsyncGenerator<object, void> {
  const [chosen, recipient] = await Promise.all([preferences.load(userId), recipients.find(userId)]);
  yield { recipient };
  yield { preferences: chosen && { types: chosen.state.types, quietHours: chosen.state.quietHours } };
  const reader = { userId, role: null };
  for await (const page of allPages((slice) => notifications.list(reader, { status: 'all' }, slice), readAtOnce))
    yield { notifications: page.map(({ audience: _audience, ...notification }) => notification) };
  for (const to of [{ userId }, { email, userIdNot: userId }])
    for await (const page of allPages((slice) => deliveries.list(to, slice), readAtOnce))
      yield { deliveries: page.map(showDelivery) };
}

function showDelivery(delivery: ListedDelivery): object {
  const { id, channel, category, template, email, status, createdAt, deliveredAt } = delivery;
  return { id, channel, category, template, email, status, createdAt, deliveredAt };
}
