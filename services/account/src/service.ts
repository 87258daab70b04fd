import { accountOperations } from '@storefront/contracts';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { openUserData } from '@storefront/user-data';
import { collectUserData } from './commands/collect-user-data.ts';
import { eraseUserData } from './commands/erase-user-data.ts';
import { configSchema, type AccountConfig } from './config.ts';
import { subscriptions } from './events/subscriptions.ts';
import { addressHandlers } from './routes/addresses.ts';
import { customerHandlers } from './routes/customers.ts';
import { wishlistHandlers } from './routes/wishlists.ts';
import { shareTokens } from './secrets/share-tokens.ts';
import { definitions, openStore } from './store/collections.ts';
import { createCustomerReads } from './store/customers.ts';
import { createOrderCounts } from './store/order-counts.ts';
import { createWishlistReads } from './store/wishlists.ts';

/** Keeps a user's addresses, wishlist and saved recipients. */
export const service = defineService({ name: 'account', config: configSchema, collections: definitions, start });

async function start(config: AccountConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('account', config, overrides);
  const { now, cursors } = resources;
  const store = await openStore(resources);
  const userData = openUserData('account', resources);
  const parts = {
    ...store,
    wishlistReads: createWishlistReads(store),
    customerReads: createCustomerReads(store),
    orderCounts: createOrderCounts(store),
    erasedUsers: userData.erasedUsers,
    shareTokens,
    cursors,
    now,
    apiUrl: config.API_URL,
  };
  return await serve(resources, {
    operations: accountOperations,
    areas: [
      {
        handlers: { ...addressHandlers(parts), ...wishlistHandlers(parts), ...customerHandlers(parts) },
        subscriptions: subscriptions(parts),
        userData: {
          collect: ({ userId }) => collectUserData(parts, userId),
          erase: ({ userId }) => eraseUserData(parts, userId),
        },
      },
    ],
    userData,
  });
}
