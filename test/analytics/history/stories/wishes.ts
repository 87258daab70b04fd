import { accountEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import type { World } from '../world.ts';
import { orderOf } from './orders.ts';

/** A user wishes for a product, hears of a lower price, orders it, or changes their mind: some of that. */
export function tellWish(world: World, tell: (event: Event) => void): void {
  const { random, chance } = world;
  const user = random.pick(world.users);
  const productId = random.pick(world.products);
  const wish = { itemId: world.id('wli'), productId, tier: user.role };
  const added = world.moment();
  tell(eventAt(world, added, accountEvents.wishlistItemAdded, user.userId, wish));
  if (chance(0.4)) {
    const raised = world.later(added);
    tell(
      eventAt(world, raised, accountEvents.wishlistAlertRaised, user.userId, {
        userId: user.userId,
        kind: chance(0.5) ? 'price-drop' : 'back-in-stock',
        productId,
        productName: 'Tea',
        tier: user.role,
        was: null,
        now: { amount: 900, currency: 'EUR' },
      }),
    );
    if (chance(0.5)) tell(orderOf(world, user, world.later(raised), productId));
  }
  if (chance(0.4)) tell(orderOf(world, user, world.later(added), productId));
  if (chance(0.3)) tell(eventAt(world, world.later(added), accountEvents.wishlistItemRemoved, user.userId, wish, 2));
}
