import { engagementEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import { currencies, type World } from '../world.ts';

/** Discounts of one or two campaigns are taken, confirmed, lowered to what the order states, given back and taken again. */
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
  const isLowered = isConfirmed && chance(0.5);
  const left = isLowered ? lowered(world, redeemed) : redeemed;
  if (isConfirmed) {
    const by = isLowered ? ('order-placed' as const) : ('request' as const);
    const withdrawn = {
      total: redeemed.total - left.total,
      campaigns: amounts.map(({ campaignId, amount }, at) => {
        return { campaignId, amount: amount - (left.campaigns[at]?.amount ?? 0) };
      }),
    };
    const told = { ...left, by, ...(isLowered && { withdrawn }) };
    tell(eventAt(world, confirmed, engagementEvents.discountConfirmed, id, told, 2));
  }
  if (!chance(0.4)) return;
  const released = world.later(confirmed);
  const was = isHeld && !isConfirmed ? ('held' as const) : ('confirmed' as const);
  tell(
    eventAt(world, released, engagementEvents.discountReleased, id, { ...left, was, reason: 'requested' as const }, 3),
  );
  if (isLowered || !chance(0.4)) return;
  const retaken = { ...redeemed, orderId: redeemed.orderRef, beyondLimits: [] };
  tell(eventAt(world, world.later(released), engagementEvents.discountRetaken, id, retaken, 4));
}

/** The same with less taken off. */
function lowered<
  Redeemed extends { discount: number; total: number; campaigns: { campaignId: string; code: null; amount: number }[] },
>({ random }: World, redeemed: Redeemed): Redeemed {
  const campaigns = redeemed.campaigns.map((part) => ({ ...part, amount: random.between(0, part.amount) }));
  const discount = campaigns.reduce((sum, { amount }) => sum + amount, 0);
  return { ...redeemed, campaigns, discount, total: redeemed.total + redeemed.discount - discount };
}
