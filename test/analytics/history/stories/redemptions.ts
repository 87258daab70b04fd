import { engagementEvents } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import { currencies } from '../world.ts';
import type { World } from '../world.ts';

/** Discounts of one or two campaigns are taken, confirmed or given back. */
export function tellRedemption(world: World, tell: (event: Event) => void): void {
  const { random, chance } = world;
  const user = chance(0.8) ? random.pick(world.users) : null;
  const campaigns = random.shuffle([...world.campaigns]).slice(0, random.between(1, 2));
  const amounts = campaigns.map((campaignId) => ({ campaignId, code: null, amount: random.between(0, 3000) }));
  const discount = amounts.reduce((sum, { amount }) => sum + amount, 0);
  const subtotal = discount + random.between(0, 20_000);
  const redeemed = {
    orderRef: `order-${world.uuid()}`,
    userId: user?.userId ?? null,
    segment: user?.role ?? ('retail' as const),
    currency: chance(0.8) ? currencies[0] : currencies[1],
    subtotal,
    discount,
    shippingDiscount: 0,
    total: subtotal - discount,
    campaigns: amounts,
  };
  const id = world.id('red');
  const begun = world.moment();
  const isHeld = chance(0.5);
  tell(
    eventAt(world, begun, engagementEvents.discountRedeemed, id, {
      ...redeemed,
      status: isHeld ? 'held' : 'confirmed',
      heldUntil: isHeld ? new Date(begun + 900_000).toISOString() : null,
    }),
  );
  const confirmed = world.later(begun);
  const isConfirmed = isHeld && chance(0.5);
  if (isConfirmed)
    tell(eventAt(world, confirmed, engagementEvents.discountConfirmed, id, { ...redeemed, by: 'request' }, 2));
  if (chance(0.4))
    tell(
      eventAt(
        world,
        world.later(confirmed),
        engagementEvents.discountReleased,
        id,
        { ...redeemed, was: isHeld && !isConfirmed ? 'held' : 'confirmed', reason: 'requested' },
        3,
      ),
    );
}
