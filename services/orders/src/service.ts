import { ordersOperations } from '@storefront/contracts';
import { openCollections, servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { openUserData, userDataCollections } from '@storefront/user-data';
import { configSchema, type OrdersConfig } from './config.ts';

/** All collections of the service. */
export const collections: readonly CollectionDefinition[] = [...servedCollections, ...userDataCollections];

/** Carts, what staff set about shipping and tax, and orders: how far each has come, and what is asked of whom next. */
export const service = defineService({ name: 'orders', config: configSchema, collections, start });

async function start(config: OrdersConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('orders', config, overrides);
  await openCollections(resources.database, collections);
  const userData = openUserData('orders', resources);
  return await serve(resources, { operations: ordersOperations, areas: [], userData });
}
