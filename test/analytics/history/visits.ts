import { accountEvents, type Event } from '@storefront/contracts';
import type { ClientEvent, Visit, Visitor } from './history.ts';
import { orderOf } from './stories/orders.ts';
import { eventAt } from './tell.ts';
import type { World } from './world.ts';

const words = ['green tea', 'Green  Tea', 'kettle', 'Überzug', '=1+1', 'İstanbul', 'ISTANBUL', 'other'];

/** What one visitor does within some days: looks, searches, and perhaps wishes, goes to the checkout and orders. */
export function visitsOf(world: World, tell: (event: Event) => void): Visit[] {
  const { random, chance } = world;
  const user = chance(0.6) ? random.pick(world.users) : null;
  const anonymous = chance(0.8) ? { anonymousId: random.pick(world.anonymousIds) } : null;
  const by: Visitor = user ? { userId: user.userId, role: user.role } : anonymous;
  const visits: Visit[] = [];
  const visit = (moment: number, type: string, fields: Omit<ClientEvent, 'id' | 'type' | 'at'> = {}) => {
    if (moment >= (user ? world.end : world.endOfVisitors)) return;
    visits.push({ by, event: { id: world.uuid(), type, at: new Date(moment).toISOString(), ...fields } });
  };
  const productId = random.pick(world.products);
  let moment = user ? world.recently() : world.today();
  visit(moment, 'product-viewed', { productId });
  if (chance(0.3)) visit(world.later(moment), 'product-viewed', { productId: random.pick(world.products) });
  if (chance(0.5)) visit(moment, 'search-performed', { query: queryOf(world), results: random.between(0, 3) });
  if (chance(0.2)) visit(moment, 'category-viewed', { categoryId: world.id('cat') });
  if (chance(0.2)) visit(moment, 'custom', { name: 'banner-clicked', properties: { place: 'top', count: 1 } });
  if (user && chance(0.6)) {
    if (chance(0.8)) moment = world.later(moment);
    const wish = { itemId: world.id('wli'), productId, tier: user.role };
    tell(eventAt(world, moment, accountEvents.wishlistItemAdded, user.userId, wish));
  }
  if (chance(0.3)) visit(moment, 'cart-updated');
  if (chance(0.6)) {
    moment = world.later(moment);
    visit(moment, 'checkout-started');
  }
  if (user && chance(0.6)) tell(orderOf(world, user, world.later(moment), productId));
  return visits;
}

/** Most people search for what others do. */
function queryOf({ random, chance }: World): string {
  return chance(0.8) ? random.pick(words) : `gift number ${random.between(1, 40)}`;
}
