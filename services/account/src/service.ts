import { openParts, serve } from '@storefront/service-kit';
import type { Running, Surroundings } from '@storefront/service-kit';
import { buildApp } from './app.ts';
import type { AccountConfig } from './config.ts';
import { subscriptions } from './events/subscriptions.ts';
import { createAlerts } from './store/alerts.ts';
import { openCollections } from './store/collections.ts';
import { createCustomerList, createOrderCount } from './store/customers.ts';
import { createUserData } from './store/user-data.ts';
import { createWishlistReads } from './store/wishlists.ts';

/** Starts the account service: what a person keeps, namely addresses, a wishlist and saved recipients. */
export async function start(config: AccountConfig, surroundings?: Surroundings): Promise<Running> {
  await using parts = await openParts('account', config, surroundings);
  const { now, cursors } = parts;
  const collections = await openCollections(parts);
  const wishlistReads = createWishlistReads(collections);
  return await serve(parts, {
    routes: buildApp({
      addressBooks: collections.addressBookAggregates,
      wishlists: collections.wishlistAggregates,
      wishlistReads,
      customers: collections.customerAggregates,
      customerList: createCustomerList(collections),
      cursors,
      now,
    }),
    subscriptions: subscriptions({
      products: collections.productAggregates,
      wishlistReads,
      raiseAlerts: createAlerts(collections, parts),
      countOrder: createOrderCount(collections, parts),
      userData: createUserData(collections, parts),
    }),
  });
}
