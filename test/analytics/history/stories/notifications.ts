import { engagementEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import type { World } from '../world.ts';

const categories = ['account', 'security', 'marketing', 'wishlist'] as const;
const reasons = ['address_bounced', 'switched_off_by_user', 'announcement_stopped', 'invalid_address', 'rejected'];

/** A message is requested; it is delivered and perhaps read, or fails, or is only kept. */
export function tellNotification(world: World, tell: (event: Event) => void): void {
  const { random, chance } = world;
  const user = chance(0.8) ? random.pick(world.users) : null;
  const inApp = user !== null && chance(0.5);
  const subject = world.id(inApp ? 'ntf' : 'dlv');
  const message = {
    channel: inApp ? ('IN_APP' as const) : random.pick(['EMAIL', 'EMAIL', 'SMS'] as const),
    category: random.pick(categories),
    template: 'message',
    userId: user?.userId ?? null,
    // Those of the former version say none.
    ...(chance(0.9) && { segment: user?.role ?? ('guest' as const) }),
  };
  const requested = world.moment();
  const recorded = chance(0.1);
  tell(eventAt(world, requested, engagementEvents.notificationRequested, subject, { ...message, recorded }));
  if (recorded || chance(0.1)) return;
  const ended = inApp ? requested : world.later(requested);
  if (chance(0.2)) {
    const failed = { ...message, attempts: 1, reason: random.pick(reasons) };
    tell(eventAt(world, ended, engagementEvents.notificationFailed, subject, failed, 2));
    return;
  }
  tell(eventAt(world, ended, engagementEvents.notificationDelivered, subject, { ...message, attempts: 1 }, 2));
  if (!inApp || chance(0.4)) return;
  const read = world.later(requested);
  // This event is younger than the segment.
  const of = { ...message, segment: user.role };
  const times = { requestedAt: new Date(requested).toISOString(), readAt: new Date(read).toISOString() };
  tell(eventAt(world, read, engagementEvents.notificationRead, subject, { ...of, ...times }, 3));
}
