import { allPages } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import type { Deliveries, ListedDelivery } from '../../messaging/store/deliveries.ts';
import type { LimitCounts } from '../../promotions/store/limit-counts.ts';
import type { Redemptions } from '../../promotions/store/redemptions.ts';
import type { FactStore } from '../../analytics/store/fact-store.ts';
import type { Recipients } from '../../messaging/store/recipients.ts';
import type { Notifications } from '../../messaging/store/notifications.ts';
import { typesOf, type Preferences } from '../../messaging/domain/preferences.ts';

interface Needs {
  readonly deliveries: Deliveries;
  readonly facts: Pick<FactStore, 'of'>;
  readonly notifications: Notifications;
  readonly preferences: Repository<Preferences>;
  readonly recipients: Recipients;
  readonly redemptions: Pick<Redemptions, 'list'>;
  readonly limitCounts: Pick<LimitCounts, 'find'>;
}

const readAtOnce = 200;

/** All that is kept about a person, for the export, in parts. */
export async function* collectUserData(
  { deliveries, facts, notifications, preferences, recipients, redemptions, limitCounts }: Needs,
  { userId, email }: { readonly userId: string; readonly email: string },
): AsyncGenerator<object, void> {
  const [chosen, recipient, { shoppers }] = await Promise.all([
    preferences.load(userId),
    recipients.find(userId),
    limitCounts.find({ codes: [], userIds: [userId] }),
  ]);
  const shopper = shoppers.get(userId);
  yield { recipient, shopper: shopper ? { ...shopper, uses: Object.fromEntries(shopper.uses) } : null };
  yield { preferences: chosen && { types: typesOf(chosen.state), quietHours: chosen.state.quietHours } };
  const reader = { userId, role: null };
  for await (const page of allPages((slice) => notifications.list(reader, { status: 'all' }, slice), readAtOnce))
    yield { notifications: page.map(({ audience: _audience, ...notification }) => notification) };
  for await (const page of allPages((slice) => redemptions.list({ owner: userId }, slice), readAtOnce))
    yield {
      redemptions: page.map(({ owner: _owner, openFor: _openFor, cartHash: _hash, ...redemption }) => redemption),
    };
  for (const to of [{ userId }, { email, userIdNot: userId }])
    for await (const page of allPages((slice) => deliveries.list(to, slice), readAtOnce))
      yield { deliveries: page.map(showDelivery) };
  for await (const page of facts.of({ userId })) yield { analytics: page };
}

function showDelivery(delivery: ListedDelivery): object {
  const { id, channel, category, template, email, status, createdAt, deliveredAt } = delivery;
  return { id, channel, category, template, email, status, createdAt, deliveredAt };
}
