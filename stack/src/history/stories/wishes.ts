import { accountEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';
import { orderOf } from './orders.ts';

/** A user adds a product to the wishlist. Then the user may get an alert, order the product, or remove it again. */
export function publishWish(shop: Shop, publish: (event: Event) => void): void {
  const { random, chance } = shop;
  const user = random.pick(shop.users);
  const product = random.pick(shop.products);
  const productId = product.id;
  const wish = {
    itemId: shop.id('wli'),
    productId,
    ...(chance(0.5) && { variantId: random.pick(product.variants) }),
    tier: user.role,
  };
  const added = shop.moment();
  publish(eventAt(shop, added, accountEvents.wishlistItemAdded, user.userId, wish));
  if (chance(0.4)) {
    const raised = shop.later(added);
    publish(
      eventAt(shop, raised, accountEvents.wishlistAlertRaised, user.userId, {
        userId: user.userId,
        kind: chance(0.5) ? 'price-drop' : 'back-in-stock',
        productId,
        productName: 'Tea',
        tier: user.role,
        was: null,
        now: { amount: 900, currency: 'EUR' },
      }),
    );
    if (chance(0.5)) publish(orderOf(shop, user, shop.later(raised), product));
  }
  if (chance(0.4)) publish(orderOf(shop, user, shop.later(added), product));
  if (chance(0.3)) publish(eventAt(shop, shop.later(added), accountEvents.wishlistItemRemoved, user.userId, wish, 2));
}
