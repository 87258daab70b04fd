import { accountEvents, ordersEvents, type Event } from '@storefront/contracts';
import type { ClientEvent, Visit, Visitor } from './history.ts';
import { orderOf } from './stories/orders.ts';
import { eventAt } from './event-at.ts';
import type { Shop, User } from './shop.ts';

/**
 * Returns what a user, or a visitor without an account, does within some days. Everybody views a product, and may
 * search and begin a checkout. Users may also add to a wishlist and order.
 */
export function visitOf(shop: Shop, user: User | null, publish: (event: Event) => void): Visit[] {
  const { random, chance } = shop;
  const anonymous = chance(0.8) ? { anonymousId: random.pick(shop.anonymousIds) } : null;
  const by: Visitor = user ? { userId: user.userId, role: user.role } : anonymous;
  const visits: Visit[] = [];
  const visit = (moment: number, type: string, fields: Omit<ClientEvent, 'id' | 'type' | 'at'> = {}) => {
    if (moment >= shop.endOfVisits) return;
    visits.push({ by, event: { id: shop.uuid(), type, at: new Date(moment).toISOString(), ...fields } });
  };
  const product = random.pick(shop.products);
  const productId = product.id;
  let moment = shop.moment();
  visit(moment, 'product-viewed', { productId });
  if (chance(0.3)) visit(shop.later(moment), 'product-viewed', { productId: random.pick(shop.products).id });
  if (chance(0.5)) visit(moment, 'search-performed', { query: queryOf(shop), results: random.between(0, 3) });
  if (chance(0.2)) visit(moment, 'category-viewed', { categoryId: random.pick(shop.categories) });
  if (chance(0.2)) visit(moment, 'custom', { name: 'banner-clicked', properties: { place: 'top', count: 1 } });
  if (user && chance(0.6)) {
    if (chance(0.8)) moment = shop.later(moment);
    const wish = { itemId: shop.id('wli'), productId, tier: user.role };
    publish(eventAt(shop, moment, accountEvents.wishlistItemAdded, user.userId, wish));
  }
  // What users do with carts and orders comes from the page, from the orders service, or from both.
  const fromPageOrService = (type: string, published: (data: { userId: string; tier: User['role'] }) => Event) => {
    const sources = user ? random.pick(['page', 'service', 'both']) : 'page';
    if (sources !== 'service') visit(moment, type);
    if (user && sources !== 'page') publish(published({ userId: user.userId, tier: user.role }));
  };
  if (chance(0.3))
    fromPageOrService('cart-updated', (data) => eventAt(shop, moment, ordersEvents.cartUpdated, shop.uuid(), data));
  if (chance(0.6)) {
    moment = shop.later(moment);
    fromPageOrService('checkout-started', (data) =>
      eventAt(shop, moment, ordersEvents.checkoutStarted, shop.id('ord'), data),
    );
  }
  if (user && chance(0.6)) publish(orderOf(shop, user, shop.later(moment), product));
  return visits;
}

/** Most people search for common texts. */
function queryOf({ random, chance, queries }: Shop): string {
  return chance(0.8) ? random.pick(queries) : `gift number ${random.between(1, 40)}`;
}
