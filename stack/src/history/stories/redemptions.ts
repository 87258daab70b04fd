import { engagementEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';

/**
 * Discounts of one or two campaigns are redeemed. Then they may be confirmed, reduced to what the order states,
 * released, and redeemed again.
 */
export function publishRedemption(shop: Shop, publish: (event: Event) => void): void {
  const { random, chance } = shop;
  const user = chance(0.8) ? random.pick(shop.users) : null;
  const campaigns = random.shuffle([...shop.campaigns]).slice(0, random.between(1, 2));
  const amounts = campaigns.map((campaignId) => ({ campaignId, code: null, amount: random.between(0, 3000) }));
  const discount = amounts.reduce((sum, { amount }) => sum + amount, 0);
  const subtotal = discount + random.between(0, 20_000);
  const redeemed = {
    orderRef: `order-${shop.uuid()}`,
    userId: user?.userId ?? null,
    segment: user?.role ?? ('retail' as const),
    currency: shop.currencyOf(shop),
    subtotal,
    discount,
    shippingDiscount: 0,
    total: subtotal - discount,
    campaigns: amounts,
  };
  const id = shop.id('red');
  const begun = shop.moment();
  const isHeld = chance(0.5);
  publish(
    eventAt(shop, begun, engagementEvents.discountRedeemed, id, {
      ...redeemed,
      status: isHeld ? 'held' : 'confirmed',
      heldUntil: isHeld ? new Date(begun + 900_000).toISOString() : null,
    }),
  );
  const confirmed = shop.later(begun);
  const isConfirmed = isHeld && chance(0.5);
  const isLowered = isConfirmed && chance(0.5);
  const left = isLowered ? lowered(shop, redeemed) : redeemed;
  if (isConfirmed) {
    const by = isLowered ? ('order-placed' as const) : ('request' as const);
    const withdrawn = {
      total: redeemed.total - left.total,
      campaigns: amounts.map(({ campaignId, amount }, at) => {
        return { campaignId, amount: amount - (left.campaigns[at]?.amount ?? 0) };
      }),
    };
    const confirmation = { ...left, by, ...(isLowered && { withdrawn }) };
    publish(eventAt(shop, confirmed, engagementEvents.discountConfirmed, id, confirmation, 2));
  }
  if (!chance(0.4)) return;
  const released = shop.later(confirmed);
  const was = isHeld && !isConfirmed ? ('held' as const) : ('confirmed' as const);
  publish(
    eventAt(shop, released, engagementEvents.discountReleased, id, { ...left, was, reason: 'requested' as const }, 3),
  );
  if (isLowered || !chance(0.4)) return;
  const retaken = { ...redeemed, orderId: redeemed.orderRef, beyondLimits: [] };
  publish(eventAt(shop, shop.later(released), engagementEvents.discountRetaken, id, retaken, 4));
}

/** The same redemption with smaller discounts. */
function lowered<
  Redeemed extends { discount: number; total: number; campaigns: { campaignId: string; code: null; amount: number }[] },
>({ random }: Shop, redeemed: Redeemed): Redeemed {
  const campaigns = redeemed.campaigns.map((part) => ({ ...part, amount: random.between(0, part.amount) }));
  const discount = campaigns.reduce((sum, { amount }) => sum + amount, 0);
  return { ...redeemed, campaigns, discount, total: redeemed.total + redeemed.discount - discount };
}
