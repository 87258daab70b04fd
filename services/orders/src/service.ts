import { ordersOperations } from '@storefront/contracts';
import { openCollections, servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { openUserData, userDataCollections } from '@storefront/user-data';
import { cartsCollections, openCarts } from './carts/carts.ts';
import { checkoutCollections, openCheckout } from './checkout/checkout.ts';
import { configSchema, type OrdersConfig } from './config.ts';
import { openSettings, settingsCollections } from './settings/settings.ts';

/** All collections of the service. */
export const collections: readonly CollectionDefinition[] = [
  ...cartsCollections,
  ...settingsCollections,
  ...checkoutCollections,
  ...servedCollections,
  ...userDataCollections,
];

/** Carts, what staff set about shipping and tax, and orders: how far each has come, and what is asked of whom next. */
export const service = defineService({ name: 'orders', config: configSchema, collections, start });

async function start(config: OrdersConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('orders', config, overrides);
  await openCollections(resources.database, collections);
  const userData = openUserData('orders', resources);
  const { erasedUsers } = userData;
  const settings = openSettings(resources, config, { erasedUsers });
  const carts = openCarts(resources, config, { settings: settings.reads });
  const checkout = openCheckout(resources, config, {
    carts: carts.ofOrders,
    erasedUsers,
    findShippingOption: (id) => settings.reads.findShippingOption(id),
    termsOf: ({ userId, tier, currency, shipping }, country, subtotal) =>
      settings.reads.termsOf({ userId, tier, currency, optionId: shipping.optionId, country, subtotal }),
  });
  return await serve(resources, { operations: ordersOperations, areas: [carts, settings, checkout], userData });
}
