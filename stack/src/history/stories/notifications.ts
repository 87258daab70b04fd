import { engagementEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';

const categories = ['account', 'security', 'marketing', 'wishlist'] as const;
const reasons = ['address_bounced', 'switched_off_by_user', 'announcement_stopped', 'invalid_address', 'rejected'];

/** A message is requested. Then it is delivered and perhaps read, or it fails, or it is only kept. */
export function publishNotification(shop: Shop, publish: (event: Event) => void): void {
  const { random, chance } = shop;
  const user = chance(0.8) ? random.pick(shop.users) : null;
  const inApp = user !== null && chance(0.5);
  const subject = shop.id(inApp ? 'ntf' : 'dlv');
  const message = {
    channel: inApp ? ('IN_APP' as const) : random.pick(['EMAIL', 'EMAIL', 'SMS'] as const),
    category: random.pick(categories),
    template: 'message',
    userId: user?.userId ?? null,
    // The contract allows events without a segment, so some events have none.
    ...(chance(0.9) && { segment: user?.role ?? ('guest' as const) }),
  };
  const requested = shop.moment();
  const recorded = chance(0.1);
  publish(eventAt(shop, requested, engagementEvents.notificationRequested, subject, { ...message, recorded }));
  if (recorded || chance(0.1)) return;
  const ended = inApp ? requested : shop.later(requested);
  if (chance(0.2)) {
    const failed = { ...message, attempts: 1, reason: random.pick(reasons) };
    publish(eventAt(shop, ended, engagementEvents.notificationFailed, subject, failed, 2));
    return;
  }
  publish(eventAt(shop, ended, engagementEvents.notificationDelivered, subject, { ...message, attempts: 1 }, 2));
  if (!inApp || chance(0.4)) return;
  const read = shop.later(requested);
  const of = { ...message, segment: user.role };
  const times = { requestedAt: new Date(requested).toISOString(), readAt: new Date(read).toISOString() };
  publish(eventAt(shop, read, engagementEvents.notificationRead, subject, { ...of, ...times }, 3));
}
